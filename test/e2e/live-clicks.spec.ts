import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../../src/infrastructure/database/database';
import { LiveAnnouncements } from '../../src/modules/click-statistics/counting/live-announcements';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import { LiveClicks } from '../../src/modules/click-statistics/live/live-clicks';
import { LiveFeeds } from '../../src/modules/click-statistics/live/live-feeds';
import { LiveListener } from '../../src/modules/click-statistics/live/live-listener';
import type { Click } from '../../src/modules/clicks/click';
import { countClicks } from '../support/click-sums';
import { createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { LiveStream, type StreamOptions } from '../support/live-clicks';
import { perSuite, TestApp, useTestApp } from '../support/test-app';
import { GOOGLEBOT, plainClick, visit } from '../support/visits';

const PATH = '/api/v1/service/clicks/live';
let nextId = 1;

function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('live clicks %s', (_name, redis) => {
  const app = useTestApp({ redis });
  const streams: LiveStream[] = [];

  beforeAll(() => app.clock.run());
  const org = perSuite(() => createOrganization(app));
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await eventually(async () => expect(await Promise.resolve(app.get(LiveClicks).count)).toBe(0));
  });

  const open = async (options: Partial<StreamOptions> = {}, url = app.url) => {
    const stream = await LiveStream.open(url, { apiKey: org.apiKey, ...options });
    streams.push(stream);
    return stream;
  };
  /** A stream that shows every click from now on. */
  const listen = async (options: Partial<StreamOptions> = {}) => {
    const stream = await open(options);
    await told(stream, 'ready');
    return stream;
  };
  const told = (stream: LiveStream, name: string) =>
    eventually(async () => expect(await Promise.resolve(stream.named(name))).toHaveLength(1));
  const got = (stream: LiveStream, ids: readonly number[]) =>
    eventually(async () => expect(await Promise.resolve(stream.clickIds)).toEqual(ids));
  const clicksOf = (count: number, fields: Partial<Click> = {}) =>
    Array.from({ length: count }, () =>
      plainClick({
        id: nextId++,
        at: Date.now(),
        trackedLinkId: 1,
        organizationId: org.organizationId,
        ...fields,
      }),
    );
  const idsOf = (clicks: readonly Click[]) => clicks.map(({ id }) => id);
  const count = async (clicks: Click[]) => {
    await countClicks(app, clicks);
    return idsOf(clicks);
  };

  /** Counts without the sums, for which transactions would wait for each other. */
  const countLate = async (clicks: Click[], counted: () => void, commit: Promise<void>) => {
    const prepared = await app.get(ClickIngest).prepare(clicks);
    await app.get(Database).write(async (tx) => {
      await tx.query(
        `INSERT INTO clicks (id, clicked_at, organization_id, tracked_link_id, dimensions, kind, is_bot, local_day,
                             local_visitor)
         SELECT id, clicked_at, $3, 1, '{}', 1, false, clicked_at, 1
           FROM unnest($1::bigint[], $2::timestamptz[]) AS c (id, clicked_at)`,
        [idsOf(clicks), clicks.map(({ at }) => new Date(at)), org.organizationId],
      );
      await app.get(LiveAnnouncements).add(tx, prepared);
      counted();
      await commit;
    });
  };

  it('show a visit, as the list does', async () => {
    const link = await createLink(org);
    const stream = await listen();
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    await visit(app, new URL(link.shortUrl).pathname).expect(302);
    await eventually(async () => expect(await Promise.resolve(stream.clicks)).toHaveLength(1));
    const { body } = await org.api.get(`/api/v1/service/urls/${link.id}/clicks`).expect(200);
    expect(stream.clicks).toEqual(body.items);
  });

  it('show what the list shows, whatever characters a visit brings', async () => {
    const campaign = await createCampaign(org);
    const odd = `"a", {b}\\c 'NULL' 日本 😀`;
    const stream = await listen({ query: `?campaignId=${campaign.id}` });
    const batch = clicksOf(1, {
      kind: 'campaign',
      trackedLinkId: campaign.id,
      at: Date.now() - 1_234,
      referrer: null,
      tracker: odd,
      customId: odd,
      utm: [odd, 'NULL', null, odd, 'a:b'],
    });
    await got(stream, await count(batch));
    const { body } = await org.api.get(`/api/v1/service/campaigns/${campaign.id}/clicks`).expect(200);
    expect(body.items).toMatchObject([{ customId: odd, utmSource: odd, utmCampaign: 'a:b' }]);
    expect(stream.clicks).toEqual(body.items);
  });

  it('leave out clicks that are deleted before they are read', async () => {
    const before = await listen();
    before.close();
    const ids = await count(clicksOf(3));
    await app.sql('DELETE FROM clicks WHERE id = $1', [ids[1]]);
    const gone = await count(clicksOf(1));
    await app.sql('DELETE FROM clicks WHERE id = ANY($1)', [gone]);
    await app.sql(`UPDATE live_batches SET created_at = now() - interval '61 seconds'`);
    const after = await open({ lastEventId: before.lastEventId });
    await told(after, 'ready');
    expect(after.clickIds).toEqual([ids[0], ids[2]]);
  });

  it('wait for those that are visible later than their batch, without holding up other organizations', async () => {
    const other = await createOrganization(app);
    const [live, ofOther] = await Promise.all([listen(), listen({ apiKey: other.apiKey })]);
    const [a, late, b] = [clicksOf(1), clicksOf(2), clicksOf(1)];
    await got(live, await count(a));
    const { lastEventId } = live;
    const announced = [idsOf(late), late.map(({ at }) => new Date(at)), org.organizationId];
    // Not yet a minute old for as long as the test takes.
    await app.sql(
      `INSERT INTO live_batches (ids, times, organization_id, part, created_at)
       VALUES ($1, $2, $3, 1, now() + interval '1 hour')`,
      announced,
    );
    await count(b);
    await got(ofOther, await count(clicksOf(1, { organizationId: other.organizationId })));
    const back = await open({ lastEventId });
    await got(ofOther, [
      ...ofOther.clickIds,
      ...(await count(clicksOf(1, { organizationId: other.organizationId }))),
    ]);
    expect(live.clickIds).toEqual(idsOf(a));
    expect(back.events).toEqual([]);
    await app.sql(
      `INSERT INTO clicks (id, clicked_at, organization_id, tracked_link_id, dimensions, kind, is_bot, local_day,
                             local_visitor)
       SELECT id, clicked_at, $3, 1, '{}', 1, false, clicked_at, 1
           FROM unnest($1::bigint[], $2::timestamptz[]) AS c (id, clicked_at)`,
      announced,
    );
    await got(live, idsOf([...a, ...late, ...b]));
    await told(back, 'ready');
    expect(back.clickIds).toEqual(idsOf([...late, ...b]));
    await got(live, [...live.clickIds, ...(await count(clicksOf(1)))]);
  });

  it('are those of the organization, of a link or of a campaign, with bots or without', async () => {
    const link = await createLink(org);
    const campaign = await createCampaign(org);
    const other = await createOrganization(app);
    const [all, ofLink, ofCampaign, bots] = await Promise.all([
      listen({ query: '?bots=include' }),
      listen({ query: `?urlId=${link.id}` }),
      listen({ query: `?campaignId=${campaign.id}` }),
      listen({ query: '?bots=only' }),
    ]);
    const batch = [
      ...clicksOf(2, { trackedLinkId: link.id }),
      ...clicksOf(1, { trackedLinkId: link.id, userAgent: GOOGLEBOT }),
      ...clicksOf(1, { trackedLinkId: link.id, kind: 'campaign' }),
      ...clicksOf(1, { trackedLinkId: campaign.id, kind: 'campaign' }),
      ...clicksOf(1, { organizationId: other.organizationId }),
    ];
    const ids = await count(batch);
    await got(all, ids.slice(0, 5));
    await got(ofLink, ids.slice(0, 2));
    await got(bots, ids.slice(2, 3));
    const ofThis = batch.filter(
      ({ kind, trackedLinkId }) => kind === 'campaign' && trackedLinkId === campaign.id,
    );
    await got(ofCampaign, idsOf(ofThis));
  });

  it('continue after a reconnection, each once, whatever was committed in which order', async () => {
    const first = await listen();
    const [a, b, c, d] = [clicksOf(3), clicksOf(3), clicksOf(250), clicksOf(2)];
    const commits = [gate(), gate()] as const;
    // Counted first, and committed last.
    const counted = [gate(), gate()] as const;
    const late = [
      countLate(a, counted[0].open, commits[0].opened),
      countLate(b, counted[1].open, commits[1].opened),
    ];
    for (const { opened } of counted) await opened;
    await count(c);
    await got(first, idsOf(c));
    first.close();
    commits[0].open();
    await late[0];
    const second = await listen({ lastEventId: first.lastEventId });
    expect(second.clickIds).toEqual(idsOf(a));
    commits[1].open();
    await late[1];
    await got(second, idsOf([...a, ...b]));
    // From the middle of a batch.
    const [event] = first.named('clicks');
    const third = await listen({ query: `?lastEventId=${encodeURIComponent(event?.id ?? '')}` });
    expect(third.clickIds.sort((x, y) => x - y)).toEqual(idsOf([...a, ...b, ...c.slice(100)]));
    await count(d);
    await got(third, [...third.clickIds.slice(0, 156), ...idsOf(d)]);
  });

  it('of ten minutes are caught up in pages', async () => {
    const first = await listen();
    first.close();
    const ids: number[] = [];
    for (let batch = 0; batch < 7; batch++) ids.push(...(await count(clicksOf(1_000))));
    const stream = await listen({ lastEventId: first.lastEventId });
    expect(stream.clickIds).toEqual(ids);
    const [, , , , , , , , , middle] = stream.named('clicks');
    const resumed = await listen({ lastEventId: middle?.id ?? '' });
    expect(resumed.clickIds).toEqual(ids.slice(1_000));
  });

  it('wait in the database for a client that reads slowly', async () => {
    const slow = await listen();
    slow.response.pause();
    const read = jest.spyOn(LiveListener.prototype, 'send');
    const ids: number[] = [];
    for (let batch = 0; batch < 60; batch++) ids.push(...(await count(clicksOf(1_000))));
    await delay(1_000);
    const sent = () => read.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
    const before = sent();
    // Of more than twenty megabytes, the kernel's buffers (ten at most) and a page have been written.
    slow.response.resume();
    await eventually(async () => expect(await Promise.resolve(slow.clickIds.length)).toBe(ids.length));
    expect(slow.clickIds).toEqual(ids);
    expect(sent() - before).toBeGreaterThan(1_000_000);
    read.mockRestore();
  });

  it('are no longer known after a while, which the client is told', async () => {
    // Without clicks before, all of which follow an id that is older than this Postgres.
    const { apiKey, organizationId } = await createOrganization(app);
    const first = await listen({ apiKey });
    first.close();
    await count(clicksOf(3, { organizationId }));
    const [feed, at, ...rest] = first.lastEventId.split('-');
    const older = (minutes: number) => (parseInt(at ?? '', 36) - minutes * 60_000).toString(36);
    const recent = await listen({ apiKey, lastEventId: [feed, older(9), ...rest].join('-') });
    expect(recent.named('reset')).toEqual([]);
    expect(recent.clicks).toHaveLength(3);
    const past = await open({ apiKey, lastEventId: [feed, older(10), ...rest].join('-') });
    await told(past, 'reset');
    expect(past.clicks).toEqual([]);
    await got(past, await count(clicksOf(1, { organizationId })));
    // The feed ended in between, so that some clicks were not announced.
    await app.sql(`UPDATE live_feeds SET expires_at = now() + interval '59 seconds'`);
    const ended = await open({ apiKey, lastEventId: first.lastEventId });
    await told(ended, 'reset');
    const future = await open({
      apiKey,
      lastEventId: ended.lastEventId.replace(/\d+:\d+:.*/, '999999999:999999999:'),
    });
    await told(future, 'reset');
  });

  it('are deleted when nobody can come back for them', async () => {
    const stream = await listen();
    await got(stream, await count(clicksOf(1)));
    await app.sql(`UPDATE live_batches SET created_at = now() - interval '19 minutes'`);
    await app.get(LiveFeeds).deleteOld();
    const kept = () => app.sql('SELECT FROM live_batches');
    expect(await kept()).not.toEqual([]);
    await app.sql(`UPDATE live_batches SET created_at = now() - interval '21 minutes'`);
    await app.sql(`UPDATE live_feeds SET expires_at = now() - interval '21 minutes'`);
    await app.get(LiveFeeds).deleteOld();
    expect(await kept()).toEqual([]);
    expect(await app.sql('SELECT FROM live_feeds')).toEqual([]);
  });

  it('are not announced without listeners', async () => {
    const lonely = await createOrganization(app);
    await count(clicksOf(3, { organizationId: lonely.organizationId }));
    expect(
      await app.sql('SELECT FROM live_batches WHERE organization_id = $1', [lonely.organizationId]),
    ).toEqual([]);
  });

  it('answer HEAD with the headers, which takes no stream', async () => {
    const user = await createOrganization(app, { limits: { liveListeners: 3 } });
    for (let n = 0; n <= 3; n++) {
      const { headers } = await user.api.head(PATH).expect(200);
      expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    }
  });

  it('are limited by organization, and closed ones do not count', async () => {
    const user = await createOrganization(app, { limits: { liveListeners: 3 } });
    const all = await Promise.all(Array.from({ length: 3 }, () => open({ apiKey: user.apiKey })));
    const { body } = await user.api.get(PATH).expect(403);
    expect(body).toMatchObject({
      code: 'LIMIT_REACHED',
      limit: 3,
      usage: 3,
      message: 'The limit is 3 open streams of live clicks and pulls of webhooks; 3 are in use',
    });
    await listen();
    all[0]?.close();
    await eventually(async () => {
      const next = await open({ apiKey: user.apiKey });
      expect(next.response.statusCode).toBe(200);
    });
  });

  it.each([
    ['urlId=1&campaignId=1', 400, 'VALIDATION_FAILED'],
    ['lastEventId=x', 400, 'INVALID_CURSOR'],
    ['lastEventId=a-b-5:9:7,6', 400, 'INVALID_CURSOR'],
    ['lastEventId=a-b-5:9:-a-5:9:4-1-1', 400, 'INVALID_CURSOR'],
    ['urlId=999999', 404, 'NOT_FOUND'],
    ['campaignId=999999', 404, 'NOT_FOUND'],
  ])('refuse %s', async (query, status, code) => {
    const { body } = await org.api.get(`${PATH}?${query}`).expect(status);
    expect(body.code).toBe(code);
  });
});

describe('live clicks of a process that stops', () => {
  it('end whole', async () => {
    const app = await TestApp.start();
    const org = await createOrganization(app);
    const stream = await LiveStream.open(app.url, { apiKey: org.apiKey });
    await eventually(async () => expect(await Promise.resolve(stream.events)).toHaveLength(1));
    await app.close();
    await eventually(async () => expect(await Promise.resolve(stream.ended)).toBe(true));
    expect(stream.response.complete).toBe(true);
  });
});
