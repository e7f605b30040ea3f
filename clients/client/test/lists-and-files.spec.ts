import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { LiveEvent, Waypost } from '@waypost/client';
import { LiveClicks } from '../../../src/modules/click-statistics/live/live-clicks';
import { eventually } from '../../../test/support/eventually';
import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { useTestApp } from '../../../test/support/test-app';
import { visit } from '../../../test/support/visits';
import { useGateway } from './support/gateway';

describe('Lists and files', () => {
  const app = useTestApp();
  const proxy = useGateway(app);
  let org: TestOrganization;
  let waypost: Waypost;

  beforeAll(() => app.clock.run());
  beforeEach(async () => {
    org = await createOrganization(app);
    waypost = proxy.get().client({ apiKey: org.apiKey });
    proxy.get().calls.length = 0;
  });

  const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const item of items) all.push(item);
    return all;
  };
  const paths = () => proxy.get().calls.map(({ path }) => path);
  const createLinks = async (count: number) => {
    const items = Array.from({ length: count }, (_, n) => ({ url: `https://shop.example.com/${n}` }));
    await waypost.links.createShortUrls({ items });
    proxy.get().calls.length = 0;
    return items.map(({ url }) => url).sort();
  };

  it('a list is a page when awaited, and everything when iterated over', async () => {
    const urls = await createLinks(250);
    const page = await waypost.links.listShortUrls({ size: 30, page: 2 });
    expect(page).toMatchObject({ page: 2, size: 30, totalElements: 250, last: false });
    expect(page.content).toHaveLength(30);

    proxy.get().calls.length = 0;
    const all = await collect(waypost.links.listShortUrls());
    expect(all.map(({ originalUrl }) => originalUrl).sort()).toEqual(urls);
    expect(paths()).toEqual([
      '/api/v1/service/urls?size=100',
      '/api/v1/service/urls?size=100&page=1',
      '/api/v1/service/urls?size=100&page=2',
    ]);
    expect(await collect(waypost.links.listShortUrls({ size: 60, page: 3 }))).toHaveLength(70);
    const pages = await collect(waypost.links.listShortUrls({ size: 60 }).pages());
    expect(pages.map(({ content }) => content.length)).toEqual([60, 60, 60, 60, 10]);

    proxy.get().calls.length = 0;
    for await (const link of waypost.links.listShortUrls()) if (link.id) break;
    expect(paths()).toHaveLength(1);
    const list = waypost.links.listShortUrls({ size: 1 });
    expect(await list).toBe(await list);
    await expect(waypost.links.listShortUrls({ size: 1000 })).rejects.toMatchObject({
      details: [{ field: 'size' }],
    });
  });

  it('lists of every format of pages are iterated over', async () => {
    const numbers = Array.from({ length: 3 }, (_, n) => n);
    for (const n of numbers) {
      await waypost.apps.createApp({
        platform: 'Android',
        appName: `Shop ${n}`,
        bundleId: `com.example.n${n}`,
        scheme: 'exampleshop://',
        storeUrl: `https://play.google.com/store/apps/details?id=com.example.n${n}`,
      });
    }
    expect(await collect(waypost.apps.listApps({ size: 2 }))).toHaveLength(3);
    expect(await collect(waypost.domains.listCustomDomains())).toEqual([]);
    expect(await collect(waypost.analytics.listSegmentSizes())).toEqual([]);
    const items = numbers.map((n) => ({ value: `+82102345678${n}` }));
    await waypost.unsubscribes.registerUnsubscribes({ items });
    expect(await collect(waypost.unsubscribes.listUnsubscribes({ limit: 2 }))).toHaveLength(3);
  });

  it('exports are streams, imports take text, blobs and streams', async () => {
    const file = 'url\r\nhttps://shop.example.com/a\r\n';
    const bytes = new TextEncoder().encode(file);
    const files = [
      file,
      new Blob([file]),
      new Blob([file]).stream(),
      Readable.from([bytes]),
      Readable.from([file]),
    ];
    for (const each of files) {
      expect(await waypost.links.importShortUrls({ file: each, dryRun: true })).toMatchObject({ created: 1 });
    }
    await waypost.links.importShortUrls({ file });
    const stream = await waypost.links.exportShortUrls({ sort: 'createdAt,asc' });
    expect(stream).toBeInstanceOf(ReadableStream);
    expect(await text(stream as never)).toContain('https://shop.example.com/a');
    const wrong = waypost.links.importShortUrls({ file, maxErrors: -1 });
    await expect(wrong).rejects.toMatchObject({ details: [{ field: 'maxErrors' }] });
  });

  it('an export arrives as it is written, and ends when the signal aborts', async () => {
    const ended = new AbortController();
    await createLinks(300);
    const stream = await waypost.links.exportShortUrls({}, { signal: ended.signal, timeout: 5_000 });
    const reader = stream.getReader();
    expect((await reader.read()).done).toBe(false);
    ended.abort();
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow('abort');
  });

  it('clicks come once each as they are counted, over connections that are cut', async () => {
    const link = await waypost.links.createShortUrl({ url: 'https://shop.example.com/' });
    const ended = new AbortController();
    const events: LiveEvent[] = [];
    const following = (async () => {
      const stream = waypost.analytics.streamClicks({ urlId: link.id }, { signal: ended.signal });
      for await (const event of stream) events.push(event);
    })();
    const clicks = () => events.flatMap((event) => (event.type === 'clicks' ? event.clicks : []));
    const isReady = (times: number) =>
      eventually(async () =>
        expect(events.filter(({ type }) => type === 'ready').length).toBeGreaterThanOrEqual(times),
      );
    const path = new URL(link.shortUrl).pathname;
    await isReady(1);
    await visit(app, path, { ip: '203.0.113.1' });
    await eventually(async () => expect(clicks()).toHaveLength(1));
    proxy.get().disconnect();
    await visit(app, path, { ip: '203.0.113.2' });
    await eventually(async () => expect(clicks()).toHaveLength(2));
    expect(clicks().map(({ urlId }) => urlId)).toEqual([link.id, link.id]);
    expect(new Set(clicks().map(({ id }) => id)).size).toBe(2);
    ended.abort();
    await following;
    await eventually(async () => expect(app.get(LiveClicks).count).toBe(0));
  });

  it('a stream of clicks that cannot begin fails', async () => {
    const stranger = proxy.get().client({ apiKey: 'wp_sk_nobody' });
    await expect(collect(stranger.analytics.streamClicks())).rejects.toMatchObject({ status: 401 });
  });
});
