import { CAMPAIGNS } from '../support/campaigns';
import { appApi } from '../support/factories';
import { StatisticsOracle } from '../support/statistics-oracle';
import { type JourneyOrganization, RandomJourneys } from '../support/random-journeys';
import { nth } from '../support/nth';
import { useTestApp } from '../support/test-app';

const STATS = '/api/v1/cross-platform/stats';
const PATHS = [
  'summary',
  'daily',
  'sessions/summary',
  'sessions/by-platform',
  'sessions/by-utm-source',
  'transitions/summary',
  'transitions/trend',
  'dashboard',
];
const RANGES = [
  ['2030-03-10', '2030-04-10'],
  ['2030-03-31', '2030-04-01'],
  ['2030-03-25', '2030-03-25'],
  ['2030-04-08', '2030-04-10'],
  ['2030-02-01', '2030-02-03'],
] as const;

function daysOf([start, end]: readonly [string, string]): string[] {
  const days = [];
  for (let at = Date.parse(start); at <= Date.parse(end); at += 86_400_000) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

// There are many comparisons.

describe('statistics of sessions', () => {
  const app = useTestApp();
  let organizations: readonly JourneyOrganization[];
  let oracles: StatisticsOracle[];

  beforeAll(async () => {
    organizations = (await RandomJourneys.make(app, 110)).organizations;
    oracles = [];
    for (const { organizationId, zone, currency } of organizations) {
      oracles.push(await StatisticsOracle.of(app, organizationId, zone, currency));
    }
    app.clock.set('2030-04-10T09:00:00Z');
  });

  it('match the raw rows, for each app, over any range of its days', async () => {
    const [first] = oracles;
    expect(first?.sessions.length).toBeGreaterThan(50);
    expect(first?.goals.length).toBeGreaterThan(20);
    expect(first?.events.length).toBeGreaterThan(10);
    expect(first?.transitions.length).toBeGreaterThan(5);
    for (const [i, { apps, zone: timeZone }] of organizations.entries()) {
      for (const registered of apps) {
        for (const range of RANGES) {
          const [startDate, endDate] = range;
          const meta = { dataRetentionDays: 400, actualStartDate: startDate, actualEndDate: endDate };
          const head = { startDate, endDate, timeZone, timeZoneChangedAt: null, meta };
          const expected = nth(oracles, i).journey(registered.id, daysOf(range));
          const { summary, daily, byPlatform, byUtmSource, transitions, topEvents } = expected;
          const answers = [];
          for (const path of PATHS) {
            const { body } = await appApi(app, registered)
              .get(`${STATS}/${path}`, { startDate, endDate })
              .expect(200);
            answers.push(body);
          }
          expect(answers).toEqual([
            { ...head, ...summary },
            { ...head, daily },
            { ...head, ...expected.sessionSummary },
            { ...head, items: byPlatform },
            { ...head, items: byUtmSource },
            { ...head, ...transitions },
            { ...head, daily: expected.trend },
            {
              ...head,
              summary: { ...head, ...summary },
              daily,
              byPlatform,
              byUtmSource,
              transitions,
              topEvents,
            },
          ]);
        }
      }
    }
  });

  it('list their sessions, newest first, with filters', async () => {
    const query = { startDate: '2030-03-25', endDate: '2030-04-08' };
    for (const [i, { apps, zone }] of organizations.entries()) {
      const { id: appId, apiKey } = nth(apps, 0);
      const list = async (more: Record<string, unknown>) =>
        (
          await appApi(app, { id: appId, apiKey })
            .get(`${STATS}/sessions/list`, { ...query, ...more })
            .expect(200)
        ).body;
      const dayOf = (at: Date) => new Intl.DateTimeFormat('sv', { timeZone: zone }).format(at);
      const began = nth(oracles, i).sessions.filter(
        (each) =>
          each.appId === appId &&
          dayOf(each.startedAt) >= query.startDate &&
          dayOf(each.startedAt) <= query.endDate,
      );
      for (const [more, wanted] of [
        [{}, began],
        [{ converted: true }, began.filter(({ stages }) => stages & 128)],
        [{ converted: false }, began.filter(({ stages }) => !(stages & 128))],
        [{ externalUserId: 'member-1' }, began.filter(({ user }) => user === 'member-1')],
      ] as const) {
        const body = await list({ ...more, size: 100 });
        expect(body).toMatchObject({ page: 0, size: 100, totalElements: wanted.length });
        const ids = body.content.map((each: { sessionId: string }) => each.sessionId);
        expect(ids.toSorted()).toEqual(wanted.map(({ id }) => id).sort());
        const times = body.content.map((each: { startedAt: string }) => each.startedAt);
        expect(times).toEqual(times.toSorted().reverse());
        const second = await list({ ...more, size: 1, page: 1 });
        expect(second.content).toEqual(body.content.slice(1, 2));
      }
      const { content } = await list({ platform: 'IOS', size: 100 });
      expect(content.every((each: { platform: string }) => each.platform === 'IOS')).toBe(true);
      const { body } = await appApi(app, { id: appId, apiKey }).get(
        `/api/v1/cross-platform/session/${content[0].sessionId}`,
      );
      expect(content[0]).toEqual(body);
    }
  });

  it('include campaigns with revenue, by UTC day and by customId', async () => {
    const range = ['2030-03-20', '2030-04-08'] as const;
    const [startDate, endDate] = range;
    let purchases = 0;
    for (const [i, { api, targets, currency }] of organizations.entries()) {
      for (const { kind, id } of targets) {
        if (kind !== 'campaign') continue;
        for (const customId of [null, 'anna', 'nobody']) {
          const query = { startDate, endDate, ...(customId !== null && { customId }) };
          const { body } = await api.get(`${CAMPAIGNS}/${id}/stats`, query).expect(200);
          const expected = nth(oracles, i).campaign(id, daysOf(range), customId);
          expect(body.revenueStats).toEqual({ currency, purchaseConversionRate: 0, ...expected });
          purchases += expected.purchaseCount;
        }
      }
    }
    expect(purchases).toBeGreaterThan(5);
  });

  it('default to the last 30 days, clamped to retention, and cover at most 366 days', async () => {
    const [{ apps }] = organizations as [JourneyOrganization];
    const get = (query: Record<string, string>) => appApi(app, nth(apps, 0)).get(`${STATS}/daily`, query);
    const { body } = await get({}).expect(200);
    expect(body).toMatchObject({ startDate: '2030-03-12', endDate: '2030-04-10' });
    expect(body.daily).toHaveLength(30);
    const old = await get({ startDate: '2029-01-01', endDate: '2029-12-31' }).expect(200);
    expect(old.body).toMatchObject({ startDate: '2029-03-07', meta: { actualStartDate: '2029-03-07' } });
    const older = await get({ startDate: '2028-01-01', endDate: '2028-12-31' }).expect(200);
    const nothing = { startDate: '2029-03-07', endDate: '2029-03-06' };
    expect(older.body).toMatchObject({
      ...nothing,
      meta: { dataRetentionDays: 400, actualStartDate: '2029-03-07', actualEndDate: '2029-03-06' },
      daily: [],
    });
    const dashboard = await appApi(app, nth(apps, 0))
      .get(`${STATS}/dashboard`, { endDate: '2029-03-06' })
      .expect(200);
    expect(dashboard.body).toMatchObject({
      ...nothing,
      summary: { totalSessions: 0, uniqueUsers: 0, totalEvents: 0 },
      daily: [],
      topEvents: [],
    });
    const sessions = await appApi(app, nth(apps, 0))
      .get(`${STATS}/sessions/list`, { endDate: '2029-03-06' })
      .expect(200);
    expect(sessions.body).toMatchObject({ content: [], totalElements: 0 });
    const since = await get({ startDate: '2030-04-01' }).expect(200);
    expect(since.body).toMatchObject({ startDate: '2030-04-01', endDate: '2030-04-10' });
    const longest = await get({ startDate: '2029-04-10', endDate: '2030-04-10' }).expect(200);
    expect(longest.body.daily).toHaveLength(366);
    for (const [startDate, endDate] of [
      ['2029-04-09', '2030-04-10'],
      ['2030-04-10', '2030-04-09'],
    ] as const) {
      const refused = await get({ startDate, endDate }).expect(400);
      expect(refused.body.code).toBe('INVALID_DATE_RANGE');
    }
    const wrong = await get({ startDate: '10.04.2030' }).expect(400);
    expect(wrong.body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'startDate' }] });
  });
});
