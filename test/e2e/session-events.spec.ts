import { randomUUID } from 'node:crypto';
import { Database } from '../../src/infrastructure/database/database';
import { ContactActivity } from '../../src/modules/contacts/contact-activity';
import { SessionLifecycle } from '../../src/modules/sessions/session-lifecycle';
import { registerApp } from '../support/apps';
import { createBook } from '../support/contacts';
import { type ApiClient, appApi, consoleApi } from '../support/factories';
import { perTest, useTestApp } from '../support/test-app';

const CROSS_PLATFORM = '/api/v1/cross-platform';
const EVENT = `${CROSS_PLATFORM}/session/event`;
const NOW = '2026-11-20T08:32:00.000Z';

interface Figures extends Record<string, unknown> {
  events: number;
  seconds: number;
}

describe('Session events', () => {
  const app = useTestApp();
  const second = useTestApp(() => ({ database: app.database }));
  let appId: number;
  let sdk: ApiClient;
  let sdkOfSecond: ApiClient;

  beforeEach(() => {
    app.clock.set(NOW);
    second.clock.set(NOW);
  });
  const book = perTest(() => createBook(app));
  beforeEach(async () => {
    const registered = await registerApp(book);
    appId = registered.id;
    sdk = appApi(app, registered);
    sdkOfSecond = appApi(second, registered);
  });

  /** Starts a session of the app, optionally of a member. */
  const begin = async (externalUserId: string | null = null, platform: 'WEB' | 'IOS' = 'WEB') => {
    const id = randomUUID();
    const { organizationId } = book;
    await app.get(Database).write((tx) =>
      app
        .get(SessionLifecycle)
        .begin(tx, { organizationId, appId, key: 'secret', appPlatform: 'Web' }, id, platform, {
          externalUserId,
        }),
    );
    return id;
  };
  const identify = (externalUserId: string) =>
    sdk.post(`${CROSS_PLATFORM}/identify`, { externalUserId }).expect(200);
  const record = async (body: object, status = 200) => (await sdk.post(EVENT, body).expect(status)).body;
  const list = async (sessionId: string, query = {}) =>
    (await sdk.get(`${CROSS_PLATFORM}/session/${sessionId}/events`, query).expect(200)).body;
  const figures = async (day = '2026-11-20') => {
    const [row] = await app.sql<Figures>(
      `SELECT coalesce(sum(sessions), 0)::int AS sessions, coalesce(sum(events), 0)::int AS events,
              coalesce(sum(duration_seconds), 0)::int AS seconds
         FROM session_rollups WHERE organization_id = $1 AND subject_kind = 3 AND subject_id = $2 AND day = $3`,
      [book.organizationId, appId, day],
    );
    return row;
  };
  const types = () =>
    app.sql(
      `SELECT event_type AS type, day, sum(events)::int AS events FROM event_rollups
        WHERE organization_id = $1 AND app_id = $2 GROUP BY 1, 2 ORDER BY 1, 2`,
      [book.organizationId, appId],
    );
  const activity = async (externalUserId = 'kim') => {
    const [contact] = await app.sql<{ id: number }>(
      'SELECT id FROM contacts WHERE organization_id = $1 AND external_user_id = $2',
      [book.organizationId, externalUserId],
    );
    return app.get(ContactActivity).of(book.organizationId, contact?.id ?? 0);
  };

  it('are stored, listed, and counted by session, app and type', async () => {
    const sessionId = await begin();
    app.clock.set('2026-11-20T08:33:30Z');
    const eventData = { amount: 1, list: [{ a: null }], constructor: 'x', text: 'é"\\' };
    const first = await record({
      sessionId,
      eventType: 'add_to_cart',
      eventData,
      clientTimestamp: '2026-11-20T08:33:29.125Z',
      clientTimezone: 'asia/seoul',
    });
    expect(first).toEqual({
      success: true,
      eventId: expect.any(Number),
      sessionId,
      eventType: 'add_to_cart',
    });
    app.clock.set('2026-11-20T08:34:00Z');
    const next = await record({ sessionId, eventType: 'login', eventData: null, clientTimestamp: null });
    await record({ sessionId, eventType: 'login' });
    const page = await list(sessionId, { size: 2 });
    expect(page).toEqual({
      content: [
        {
          id: first.eventId,
          eventType: 'add_to_cart',
          eventData,
          clientTimestamp: '2026-11-20T08:33:29Z',
          clientTimezone: 'Asia/Seoul',
          receivedAt: '2026-11-20T08:33:30Z',
        },
        {
          id: next.eventId,
          eventType: 'login',
          eventData: null,
          clientTimestamp: null,
          clientTimezone: null,
          receivedAt: '2026-11-20T08:34:00Z',
        },
      ],
      page: 0,
      size: 2,
      totalElements: 3,
      totalPages: 2,
      first: true,
      last: false,
    });
    expect((await list(sessionId, { size: 2, page: 1 })).content).toHaveLength(1);
    expect(await figures()).toEqual({ sessions: 1, events: 3, seconds: 120 });
    expect(await types()).toEqual([
      { type: 'add_to_cart', day: '2026-11-20', events: 1 },
      { type: 'login', day: '2026-11-20', events: 2 },
    ]);
    const [session] = await app.sql('SELECT events, last_activity_at FROM funnel_sessions WHERE id = $1', [
      sessionId,
    ]);
    expect(session).toEqual({ events: 3, last_activity_at: new Date('2026-11-20T08:34:00Z') });
  });

  it('of the next day count on the day on which the session started', async () => {
    const sessionId = await begin();
    app.clock.set('2026-11-21T08:32:00Z');
    await record({ sessionId, eventType: 'late' });
    expect(await figures()).toEqual({ sessions: 1, events: 1, seconds: 86_400 });
    expect(await types()).toEqual([{ type: 'late', day: '2026-11-20', events: 1 }]);
  });

  it('that are repeated with the same time are one, with the same id in every response', async () => {
    await identify('kim');
    const sessionId = await begin('kim');
    const event = { sessionId, eventType: 'view', clientTimestamp: '2026-11-20T08:31:00Z' };
    const { eventId } = await record(event);
    const repeats = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? sdk : sdkOfSecond).post(EVENT, { ...event, eventData: { i } }).expect(200),
      ),
    );
    expect(repeats.map(({ body }) => body.eventId)).toEqual(Array(20).fill(eventId));
    const others = [
      { ...event, clientTimestamp: '2026-11-20T08:31:00.001Z' },
      { ...event, eventType: 'click' },
      { ...event, sessionId: await begin('kim') },
    ];
    const ids = await Promise.all(others.map(async (other) => (await record(other)).eventId as number));
    expect(new Set([eventId, ...ids]).size).toBe(4);
    expect(await figures()).toMatchObject({ events: 4 });
    expect(await activity()).toMatchObject([
      { metric: 'click', count: 1 },
      { metric: 'view', count: 3 },
    ]);
  });

  it('that are sent concurrently to two processes are one', async () => {
    const sessionId = await begin();
    const event = { sessionId, eventType: 'view', clientTimestamp: '2026-11-20T08:31:00Z' };
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 ? sdk : sdkOfSecond).post(EVENT, event).expect(200)),
    );
    expect(new Set(answers.map(({ body }) => body.eventId)).size).toBe(1);
    expect(await figures()).toMatchObject({ events: 1 });
  });

  it('add to the activity of the session’s contact', async () => {
    await identify('kim');
    const [mine, nobodys, strangers] = [await begin('kim'), await begin(), await begin('lee')];
    const send = (eventType: string, eventData?: object, clientTimestamp?: string) =>
      record({ sessionId: mine, eventType, eventData, clientTimestamp });
    await send('purchase', { amount: 10.5, currency: 'USD' }, '2026-11-20T08:00:00Z');
    await send('purchase', { amount: '4.5', currency: 'usd' }, '2026-11-19T08:00:00Z');
    await send('purchase', { amount: 1000, currency: 'KRW' });
    await send('purchase', { amount: 'much', currency: 'USD' });
    await send('points', { amount: 7 });
    await send('points', { amount: 1e300 });
    await send('points', { amount: 0.1 + 0.2 });
    await send('app_open', undefined, '2026-11-01T08:00:00Z');
    await send('app_open', undefined, '2026-11-20T09:00:00Z');
    for (const sessionId of [nobodys, strangers]) await record({ sessionId, eventType: 'points' });
    expect(await activity()).toEqual([
      { metric: 'app_open', first: new Date(NOW), last: new Date(NOW), count: 2, sum: 0 },
      { metric: 'points', first: new Date(NOW), last: new Date(NOW), count: 3, sum: 7.3 },
      {
        metric: 'purchase',
        first: new Date('2026-11-19T08:00:00Z'),
        last: new Date(NOW),
        count: 4,
        sum: 15,
      },
    ]);
    expect(await activity('lee')).toEqual([]);
  });

  it('create no metric beyond the limit, even under concurrency', async () => {
    await consoleApi(app).patch(book.consolePath, { customMetricLimit: 5 }).expect(200);
    await identify('kim');
    const sessionId = await begin('kim');
    await Promise.all(
      Array.from({ length: 48 }, (_, i) =>
        (i % 2 ? sdk : sdkOfSecond).post(EVENT, { sessionId, eventType: `m${i % 12}` }).expect(200),
      ),
    );
    await record({ sessionId, eventType: 'login' });
    const metrics = await activity();
    expect(metrics).toHaveLength(6);
    // The events themselves are not limited.
    expect(await figures()).toMatchObject({ events: 49 });
    expect(await types()).toHaveLength(13);
  });

  it('of many sessions and contacts at once, on two processes, are all counted without deadlock', async () => {
    const members = Array.from({ length: 8 }, (_, i) => `m${i}`);
    await Promise.all(members.map(identify));
    const sessions = await Promise.all(members.map((member) => begin(member, 'IOS')));
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, i) =>
        (i % 2 ? sdk : sdkOfSecond).post(EVENT, {
          sessionId: sessions[(i * 7) % 8],
          eventType: i % 3 ? 'view' : 'buy',
        }),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set(answers.map(({ body }) => body.eventId)).size).toBe(400);
    expect(await figures()).toMatchObject({ sessions: 8, events: 400 });
    const counts = await Promise.all(members.map(activity));
    expect(counts.flat().reduce((sum, { count }) => sum + count, 0)).toBe(400);
  });

  it('start an unknown session on the platform of the app', async () => {
    for (const sessionId of [randomUUID(), 'as the phone calls it']) {
      const answer = await record({ sessionId, eventType: 'app_open' });
      expect(answer).toMatchObject({ sessionId, eventType: 'app_open' });
      expect((await list(sessionId)).content).toMatchObject([{ id: answer.eventId }]);
    }
    const platforms = await app.sql(
      'SELECT platform, events FROM funnel_sessions WHERE organization_id = $1',
      [book.organizationId],
    );
    expect(platforms).toEqual(Array(2).fill({ platform: 'IOS', events: 1 }));
  });

  it('belong to their app: another one does not find the session', async () => {
    const sessionId = await begin();
    const other = await registerApp(book, { appName: 'Other', bundleId: 'com.example.other' });
    const stranger = await registerApp(await createBook(app));
    for (const registered of [other, stranger]) {
      const api = appApi(app, registered);
      const { body } = await api.get(`${CROSS_PLATFORM}/session/${sessionId}/events`).expect(404);
      expect(body.code).toBe('NOT_FOUND');
    }
    const refused = await appApi(app, other).post(EVENT, { sessionId, eventType: 'x' }).expect(404);
    expect(refused.body).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    await sdk.get(`${CROSS_PLATFORM}/session/${randomUUID()}/events`).expect(404);
    expect((await list(sessionId)).content).toEqual([]);
  });

  it('with invalid fields are rejected by field name, and values at the limit are accepted', async () => {
    const sessionId = await begin();
    const event = {
      sessionId,
      eventType: 'é'.repeat(50),
      clientTimezone: 'x'.repeat(100),
      unknown: 'ignored',
    };
    const wrong: [string, unknown][] = [
      ['eventData', { a: [{ b: 'a\u0000b' }] }],
      ['eventData', { 'a\ud800': 1 }],
    ];
    const refusals = wrong.map(([field, value]) => sdk.post(EVENT, { ...event, [field]: value }));
    const [good, ...answers] = await Promise.all([sdk.post(EVENT, event), ...refusals]);
    expect(good.status).toBe(200);
    expect(answers.map(({ status, body }) => [status, body.details?.[0]?.field])).toEqual(
      wrong.map(([field]) => [400, field]),
    );
    expect((await list(sessionId)).totalElements).toBe(1);
  });

  it('of one batch fail individually, for any reason', async () => {
    const [sessionId, bad] = [await begin(), await begin()];
    await app.sql(`ALTER TABLE session_events ADD CONSTRAINT broken CHECK (event_type <> 'broken')`);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        sdk.post(EVENT, i === 5 ? { sessionId: bad, eventType: 'broken' } : { sessionId, eventType: 'fine' }),
      ),
    );
    await app.sql('ALTER TABLE session_events DROP CONSTRAINT broken');
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, i) => (i === 5 ? 500 : 200)));
    expect((await list(sessionId)).totalElements).toBe(11);
    expect(await figures()).toMatchObject({ events: 11 });
  });
});
