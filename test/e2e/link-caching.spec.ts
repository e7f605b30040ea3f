import { registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { createOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { perSuite, SHORT_HOST, useTestApp } from '../support/test-app';
import { visitorPages } from '../support/visitor-pages';
import { CHROME, GOOGLEBOT, IPHONE, visit, type VisitOptions } from '../support/visits';

const PREVIEW = 'facebookexternalhit/1.1';
const THERE = 'https://shop.example.com/spring';
/** Answers of the fast path, and of node:http. */
const READERS: Record<string, string>[] = [{}, { 'Proxy-Connection': 'keep-alive' }];

/** Whatever depends on a link must not outlive its change in a cache that the service cannot reach. */
describe('answers that depend on a link or campaign are stored by no browser or proxy', () => {
  const app = useTestApp();
  beforeAll(() => app.clock.set('2026-11-20T08:32:00Z'));
  const org = perSuite(() => createOrganization(app));

  interface Answer {
    status: number;
    headers: Record<string, string | undefined>;
  }

  function expectUnstored(name: string, { headers }: Answer, expected = 'private, no-store'): void {
    expect([name, headers['cache-control']]).toEqual([name, expected]);
    for (const other of ['expires', 'etag', 'last-modified', 'age', 'surrogate-control', 'cdn-cache-control'])
      expect([name, other, headers[other]]).toEqual([name, other, undefined]);
  }

  /** Both methods by both readers of requests. */
  async function expectNever(name: string, url: string, status: number, options: VisitOptions = {}) {
    const { host, pathname, search } = new URL(url);
    for (const method of ['get', 'head'] as const) {
      for (const headers of READERS) {
        const answer = await visit(app, pathname + search, { host, method, headers, ...options });
        expect([name, method, answer.status]).toEqual([name, method, status]);
        expectUnstored(`${name} ${method}`, answer);
      }
    }
  }

  it('pages', async () => {
    const pages = await visitorPages(app, org);
    expect(pages.length).toBeGreaterThan(10);
    for (const { name, url, status, userAgent } of pages) await expectNever(name, url, status, { userAgent });
  });

  it.each(['links', 'campaigns'])('redirects, errors and previews of %s', async (kind) => {
    const make = async (body: object): Promise<{ id: number; link: string }> => {
      const made =
        kind === 'links'
          ? await createLink(org, { url: THERE, ...body })
          : await createCampaign(org, { originalUrl: THERE, ...body });
      return { id: made.id, link: made.link as string };
    };
    const plain = await make({});
    for (const userAgent of [CHROME, IPHONE, GOOGLEBOT, PREVIEW])
      await expectNever('redirect', plain.link, 302, { userAgent });
    await expectNever('redirect with a query', `${plain.link}?utm_source=mail&a=b`, 302);
    const preview = await make({ ogTitle: 'Spring', ogImageUrl: 'https://cdn.example.com/spring.png' });
    await expectNever('preview', preview.link, 200, { userAgent: PREVIEW });
    const ios = await registerApp(org);
    const opens = await make({ iosAppId: ios.id });
    await expectNever('app page', opens.link, 200, { userAgent: IPHONE });
    await expectNever('app page of a computer', opens.link, 302);
    await expectNever('off', (await make({ enabled: false })).link, 404);
    await expectNever('early', (await make({ startsAt: '2027-01-01' })).link, 404);
    const early = await make({ startsAt: '2027-01-01', notStartedUrl: THERE });
    await expectNever('early, with a place to go', early.link, 302);
    const expiry = kind === 'links' ? 'expirationDate' : 'expiresAt';
    const [over, led] = [
      await make({ [expiry]: '2026-11-21' }),
      await make({ [expiry]: '2026-11-21', expiredUrl: THERE }),
    ];
    app.clock.set('2026-11-22T00:00:00Z');
    await expectNever('expired', over.link, 410);
    await expectNever('expired, with a place to go', led.link, 302);
    app.clock.set('2026-11-20T08:32:00Z');
    await expectNever('unknown', `${plain.link}-not`, 404);
    const { host, pathname } = new URL(plain.link);
    for (const method of ['post', 'put', 'delete', 'options'] as const) {
      const answer = await visit(app, pathname, { host, method });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expectUnstored(method, answer);
    }
  });

  it('QR codes and what the API says of a link', async () => {
    const { id } = await createLink(org);
    for (const path of ['', '/qr', '/stats', '/clicks']) {
      const answer = await org.api.get(`/api/v1/service/urls/${id}${path}`).expect(200);
      expect([path, answer.headers['cache-control']]).toEqual([path, 'no-store']);
    }
  });

  it('but association files are, which depend on apps alone', async () => {
    const { id } = await registerApp(org);
    const files = ['/.well-known/apple-app-site-association', '/.well-known/assetlinks.json'];
    const read = () =>
      Promise.all(files.map(async (path) => (await visit(app, path, { host: SHORT_HOST }).expect(200)).text));
    const before = await read();
    for (const state of [{}, { enabled: false }, { startsAt: '2027-01-01' }, { archived: true }])
      await createLink(org, { iosAppId: id, ...state });
    expect(await read()).toEqual(before);
  });
});
