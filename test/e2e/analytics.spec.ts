import { AnalyticsSchedule } from '../../src/modules/analytics/analytics-schedule';
import { consoleApi, createOrganization } from '../support/factories';
import { StatisticsOracle, type OracleFilter } from '../support/statistics-oracle';
import { type JourneyOrganization, MOMENTS, RandomJourneys } from '../support/random-journeys';
import { nth } from '../support/nth';
import { perSuite, useTestApp } from '../support/test-app';

const ANALYTICS = '/api/v1/service/analytics';
const HOUR_MS = 3_600_000;
const WHOLE = ['2030-03-10', '2030-04-10'] as const;
const RANGES = [
  WHOLE,
  ['2030-03-31', '2030-04-01'],
  ['2030-03-25', '2030-03-25'],
  ['2030-02-01', '2030-02-03'],
] as const;

type Range = readonly [string, string];
type Query = Record<string, string | number>;

function daysOf([start, end]: Range): string[] {
  const days = [];
  for (let at = Date.parse(start); at <= Date.parse(end); at += 24 * HOUR_MS) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

// There are many comparisons.

describe('analytics', () => {
  const app = useTestApp();
  let organizations: readonly JourneyOrganization[];
  let oracles: StatisticsOracle[];

  const readOracles = async () => {
    oracles = [];
    for (const { organizationId, zone, currency } of organizations) {
      oracles.push(await StatisticsOracle.of(app, organizationId, zone, currency));
    }
  };

  const sessions = perSuite(() => RandomJourneys.make(app, 110));
  beforeAll(async () => {
    organizations = sessions.organizations;
    await readOracles();
    app.clock.set('2030-04-10T09:00:00Z');
  });

  const get = async ({ api }: JourneyOrganization, path: string, query: Query = {}) =>
    (await api.get(`${ANALYTICS}/${path}`, query).expect(200)).body;

  /** Queries of each app of each organization, with the matching filters of the oracle. */
  function cases(filtersOf: (organization: JourneyOrganization) => [Query, OracleFilter][]) {
    return organizations.flatMap((organization, i) =>
      organization.apps.flatMap(({ id: appId }) =>
        filtersOf(organization).flatMap(([query, filter]) =>
          RANGES.map((range) => ({ organization, oracle: nth(oracles, i), appId, query, filter, range })),
        ),
      ),
    );
  }

  const PLATFORMS: [Query, OracleFilter][] = [
    [{}, {}],
    [{ platform: 'all' }, {}],
    [{ platform: 'ios' }, { platform: 'IOS' }],
    [{ platform: 'Web' }, { platform: 'WEB' }],
  ];

  it('match the raw rows in revenue, to the cent', async () => {
    let revenue = 0;
    const filtersOf = ({ targets }: JourneyOrganization): [Query, OracleFilter][] => [
      ...PLATFORMS,
      [{ urlId: nth(targets, 0).id }, { kind: 1, trackedLinkId: nth(targets, 0).id }],
      [
        { campaignId: nth(targets, 3).id, platform: 'android' },
        { kind: 2, trackedLinkId: nth(targets, 3).id, platform: 'ANDROID' },
      ],
    ];
    for (const { organization, oracle, appId, query, filter, range } of cases(filtersOf)) {
      const [startDate, endDate] = range;
      const body = await get(organization, 'revenue', { appId, startDate, endDate, ...query });
      const data = oracle.revenue(appId, daysOf(range), filter);
      expect(body).toEqual({
        ...{ appId, appName: 'Shop', currency: organization.currency, startDate, endDate },
        ...{ timeZone: organization.zone, timeZoneChangedAt: null, data },
      });
      revenue += data.totalRevenue;
    }
    expect(revenue).toBeGreaterThan(10_000);
  });

  it('compare revenue with another range, as percentages', async () => {
    const [organization] = organizations as [JourneyOrganization];
    const appId = nth(organization.apps, 0).id;
    const compare = async ([startDate, endDate]: Range, [compareStartDate, compareEndDate]: Range) =>
      get(organization, 'revenue', { appId, startDate, endDate, compareStartDate, compareEndDate });
    const now = ['2030-03-31', '2030-04-10'] as const;
    const then = ['2030-03-20', '2030-03-30'] as const;
    const { data, comparison } = await compare(now, then);
    const base = nth(oracles, 0).revenue(appId, daysOf(then), {});
    expect(base.totalRevenue).toBeGreaterThan(0);
    const change = (name: 'totalRevenue' | 'purchaseSessions' | 'cartValue') =>
      base[name] === 0 ? null : Math.round(((data[name] - base[name]) / base[name]) * 1000) / 10;
    expect(comparison).toMatchObject({
      startDate: then[0],
      endDate: then[1],
      timeZone: 'Europe/Berlin',
      ...base,
      totalRevenueChangePct: change('totalRevenue'),
      purchaseSessionsChangePct: change('purchaseSessions'),
      cartValueChangePct: change('cartValue'),
    });
    const { comparison: empty } = await compare(now, ['2030-02-01', '2030-02-02']);
    const changes = Object.entries(empty).filter(([name]) => name.endsWith('ChangePct'));
    expect(changes).toHaveLength(6);
    expect(changes.every(([, value]) => value === null)).toBe(true);
    const { comparison: same } = await compare(now, now);
    expect(same.totalRevenueChangePct).toBe(0);
  });

  it('match the raw rows in conversions, for each origin', async () => {
    const filtersOf = ({ targets }: JourneyOrganization): [Query, OracleFilter][] => [
      ...PLATFORMS,
      [{ sessionType: 'all' }, {}],
      [{ sessionType: 'url' }, { kind: 1 }],
      [
        { sessionType: 'campaign', platform: 'android' },
        { kind: 2, platform: 'ANDROID' },
      ],
      [{ sessionType: 'direct' }, { kind: 0 }],
      [
        { resourceType: 'url', resourceId: nth(targets, 1).id },
        { kind: 1, trackedLinkId: nth(targets, 1).id },
      ],
      [
        { resourceType: 'campaign', resourceId: nth(targets, 2).id, sessionType: 'campaign' },
        { kind: 2, trackedLinkId: nth(targets, 2).id },
      ],
    ];
    let converted = 0;
    for (const { organization, oracle, appId, query, filter, range } of cases(filtersOf)) {
      const [startDate, endDate] = range;
      const body = await get(organization, 'conversions', { appId, startDate, endDate, ...query });
      const expected = oracle.conversions(appId, daysOf(range), filter);
      const { zone: timeZone, currency } = organization;
      const shown = { appId, currency, startDate, endDate, timeZone, timeZoneChangedAt: null };
      expect(body).toEqual({ ...shown, ...expected });
      if (filter.kind !== undefined) converted += expected.sessionStats.convertedSessions;
    }
    expect(converted).toBeGreaterThan(20);
  });

  it('of all apps together are for the console', async () => {
    for (const [i, organization] of organizations.entries()) {
      const oracle = nth(oracles, i);
      const { organizationId, targets, currency } = organization;
      const ask = async (path: string, query: Query) =>
        (
          await consoleApi(app)
            .get(`/api/v1/console/organizations/${organizationId}/analytics/${path}`, query)
            .expect(200)
        ).body;
      const target = nth(targets, 3).id;
      for (const range of RANGES) {
        const [startDate, endDate] = range;
        const [days, dates] = [daysOf(range), { startDate, endDate }];
        for (const [query, filter] of PLATFORMS) {
          const revenue = await ask('revenue', { ...dates, ...query });
          const { data } = revenue;
          expect(revenue).toMatchObject({ appId: null, appName: null, currency, ...dates });
          expect(data).toEqual(oracle.revenue(null, days, filter));
          const conversions = await ask('conversions', { ...dates, ...query });
          expect(conversions).toMatchObject({ appId: null, ...oracle.conversions(null, days, filter) });
        }
        const ofTarget = { kind: 2, trackedLinkId: target };
        const { data } = await ask('revenue', { ...dates, campaignId: target });
        expect(data).toEqual(oracle.revenue(null, days, ofTarget));
        expect(
          await ask('conversions', { ...dates, resourceType: 'campaign', resourceId: target }),
        ).toMatchObject(oracle.conversions(null, days, ofTarget));
        expect(await ask('conversions/goals', dates)).toMatchObject({
          appId: null,
          goalTypes: oracle.goalTypes(null, days),
        });
        for (const [goalType, type, of] of [
          ['signup', 'signup', undefined],
          ['purchase_usd', 'purchase', 'USD'],
        ] as const) {
          const top = await ask('conversions/top', { ...dates, goalType, limit: 50 });
          expect(top.items.map((item: Record<string, unknown>) => [item.id, item.conversions])).toEqual(
            oracle.top(2, days, null, type, of),
          );
        }
      }
    }
  });

  it('list the links and campaigns that led to the most goals, and the goal types', async () => {
    let ofCurrencies = 0;
    for (const [i, organization] of organizations.entries()) {
      const appId = nth(organization.apps, 0).id;
      for (const range of RANGES) {
        const [startDate, endDate] = range;
        const days = daysOf(range);
        const shown = { startDate, endDate, timeZone: organization.zone, timeZoneChangedAt: null };
        for (const [query, goalType, currency] of [
          [{}, null],
          [{ appId }, null],
          [{ goalType: 'all' }, null],
          [{ appId, goalType: 'all' }, null],
          [{ appId, goalType: 'purchase' }, 'purchase'],
          [{ appId, goalType: 'purchase_EUR' }, 'purchase', 'EUR'],
          [{ appId, goalType: 'purchase_usd', resourceType: 'url', limit: 50 }, 'purchase', 'USD'],
          [{ appId, goalType: 'purchase_NPR', resourceType: 'url', limit: 50 }, 'purchase', 'NPR'],
          [{ resourceType: 'url', limit: 1 }, null],
        ] as [Query, string | null, string?][]) {
          const { resourceType = 'campaign', limit = 5 } = query;
          const body = await get(organization, 'conversions/top', { startDate, endDate, ...query });
          const kind = resourceType === 'url' ? 1 : 2;
          const top = nth(oracles, i).top(kind, days, 'appId' in query ? appId : null, goalType, currency);
          if (currency) ofCurrencies += top.length;
          expect(body).toMatchObject({ ...shown, resourceType, goalType: query.goalType ?? 'all', limit });
          expect(body.items.map((item: Record<string, unknown>) => [item.id, item.conversions])).toEqual(
            top.slice(0, Number(limit)),
          );
          const names = kind === 2 ? ['Spring', 'Summer'] : ['Poster', expect.stringMatching(/^\w{7}$/)];
          for (const { name } of body.items) expect(names).toContainEqual(name);
        }
        const goals = await get(organization, 'conversions/goals', { appId, startDate, endDate });
        expect(goals).toEqual({ appId, ...shown, goalTypes: nth(oracles, i).goalTypes(appId, days) });
      }
    }
    expect(ofCurrencies).toBeGreaterThan(5);
  });

  const eventsAgree = async () => {
    for (const [i, organization] of organizations.entries()) {
      for (const appId of [null, ...organization.apps.map(({ id }) => id)]) {
        for (const range of [
          ...RANGES,
          ['2030-01-01', '2030-03-31'],
          ['2029-12-31', '2030-03-31'],
        ] as Range[]) {
          const [startDate, endDate] = range;
          const query = { startDate, endDate, topLimit: 2, ...(appId !== null && { appId }) };
          const body = await get(organization, 'events', query);
          const days = daysOf(range);
          const { trend, topEvents, ...expected } = nth(oracles, i).eventLog(appId, days);
          const weekly = days.length > 90;
          const periods = weekly ? weeksOf(days) : days.map((date) => [date]);
          expect(body).toEqual({
            appId,
            startDate,
            endDate,
            timeZoneChangedAt: null,
            timeZone: organization.zone,
            ...expected,
            topEvents: topEvents.slice(0, 2),
            trendGranularity: weekly ? 'week' : 'day',
            trend: periods.map((of) => ({
              ...(weekly ? weekOf(nth(of, 0)) : { date: of[0] }),
              ...trend(of),
            })),
          });
        }
      }
    }
  };

  it('match the raw rows in events, on the next day; late events correct their day', async () => {
    const [organization] = organizations as [JourneyOrganization];
    const last = new Date(nth(MOMENTS, -1)).toISOString().slice(0, 10);
    const shownOf = async (date: string) =>
      (await get(organization, 'events', { startDate: date, endDate: date })).summary.totalEvents;
    const build = () => app.get(AnalyticsSchedule).buildEventDays();
    app.clock.set(`${last}T20:00:00Z`);
    expect(await build()).toBe(true);
    expect(await shownOf('2030-03-31')).toBeGreaterThan(0);
    // Berlin's day ends at 22:00 UTC.
    expect(await shownOf(last)).toBe(0);
    app.clock.set(`${last}T22:11:00Z`);
    expect(await build()).toBe(true);
    expect(await shownOf(last)).toBeGreaterThan(0);
    await eventsAgree();

    // Written late, after its day and later days of the session were summed.
    const session = nth(nth(oracles, 0).events, -1);
    app.clock.set('2030-04-06T12:00:00Z');
    const own = {
      organizationId: organization.organizationId,
      appId: session.appId,
      key: 'secret' as const,
      appPlatform: 'Web',
    };
    await sessions.event(own, session.sessionId, session.type);
    app.clock.set('2030-04-10T09:00:00Z');
    await readOracles();
    expect(await build()).toBe(true);
    await eventsAgree();
    const sums = () => app.sql('SELECT * FROM event_day_rollups ORDER BY 1, 2, 3, 7, 4');
    const before = await sums();
    app.clock.set('2030-04-10T10:00:00Z');
    expect(await build()).toBe(true);
    expect(await sums()).toEqual(before);
    await app.sql('DELETE FROM event_day_rollups');
    app.clock.set('2030-04-10T11:00:00Z');
    expect(await build()).toBe(true);
    expect(await sums()).toEqual(before);
  });

  it('have their default ranges', async () => {
    const [organization] = organizations as [JourneyOrganization];
    const appId = nth(organization.apps, 0).id;
    app.clock.set('2030-04-10T22:30:00Z');
    const month = { startDate: '2030-03-13', endDate: '2030-04-11' };
    expect(await get(organization, 'revenue', { appId })).toMatchObject(month);
    expect(await get(organization, 'conversions', { appId })).toMatchObject(month);
    expect(await get(organization, 'conversions/top')).toMatchObject({ ...month, limit: 5 });
    expect(await get(organization, 'events')).toMatchObject({ ...month, trendGranularity: 'day' });
    expect(await get(organization, 'conversions/goals', { appId })).toMatchObject({
      startDate: '2030-01-12',
      endDate: '2030-04-11',
    });
    expect(await get(organization, 'conversions/goals', { appId, endDate: '2030-03-31' })).toMatchObject({
      startDate: '2030-01-01',
    });
    app.clock.set('2030-04-10T09:00:00Z');
  });

  it.each([
    ['revenue', {}, 'appId'],
    ['revenue', { appId: 1, campaignId: 1, urlId: 1 }, 'urlId'],
    ['revenue', { appId: 1, compareStartDate: '2030-03-01' }, 'compareEndDate'],
    ['revenue', { appId: 1, compareEndDate: '2030-03-01' }, 'compareStartDate'],
    ['conversions', {}, 'appId'],
    ['conversions', { appId: 1, resourceType: 'url' }, 'resourceId'],
    ['conversions', { appId: 1, resourceId: 1 }, 'resourceType'],
    ['conversions', { appId: 1, resourceType: 'url', resourceId: 1, sessionType: 'direct' }, 'sessionType'],
    ['conversions/top', { goalType: 'purchase' }, 'appId'],
    ['conversions/goals', {}, 'appId'],
  ] as [string, Query, string][])('%s with %j names %s', async (path, query, field) => {
    const { body } = await nth(organizations, 0).api.get(`${ANALYTICS}/${path}`, query).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });

  const ALL = ['revenue', 'conversions', 'conversions/top', 'conversions/goals', 'events'];

  it.each(ALL)('%s accepts at most 366 days, and parameters at their limits', async (path) => {
    const [{ api, apps }] = organizations as [JourneyOrganization];
    const ask = (query: Query) => api.get(`${ANALYTICS}/${path}`, { appId: nth(apps, 0).id, ...query });
    const limits: Record<string, Query> = {
      'conversions/top': { limit: 50, goalType: 'x'.repeat(50) },
      events: { topLimit: 50 },
    };
    await ask({ startDate: '2029-04-10', endDate: '2030-04-10', ...limits[path] }).expect(200);
    for (const [startDate, endDate] of [
      ['2029-04-09', '2030-04-10'],
      ['2030-04-10', '2030-04-09'],
    ] as const) {
      const { body } = await ask({ startDate, endDate }).expect(400);
      expect(body.code).toBe('INVALID_DATE_RANGE');
    }
    if (path !== 'revenue') return;
    const then = { compareStartDate: '2029-04-09', compareEndDate: '2030-04-10' };
    const { body } = await ask(then).expect(400);
    expect(body.code).toBe('INVALID_DATE_RANGE');
  });

  it.each(ALL)('%s is of apps of the organization alone', async (path) => {
    const { api } = await createOrganization(app);
    for (const appId of [nth(nth(organizations, 0).apps, 0).id, 999_999]) {
      const { body } = await api.get(`${ANALYTICS}/${path}`, { appId }).expect(403);
      expect(body.code).toBe('APP_NOT_OWNED');
    }
  });
});

function weeksOf(days: readonly string[]): string[][] {
  const weeks: string[][] = [];
  for (const day of days) {
    if (new Date(day).getUTCDay() === 1 || weeks.length === 0) weeks.push([]);
    nth(weeks, -1).push(day);
  }
  return weeks;
}

function weekOf(day: string) {
  const monday = Date.parse(day) - ((new Date(day).getUTCDay() + 6) % 7) * 24 * HOUR_MS;
  const text = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { weekStartDate: text(monday), weekEndDate: text(monday + 6 * 24 * HOUR_MS) };
}
