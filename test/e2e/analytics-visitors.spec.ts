import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import type { Click } from '../../src/modules/clicks/click';
import { ClickHousekeeping } from '../../src/modules/click-statistics/retention/click-housekeeping';
import { ClickJournal } from '../../src/modules/clicks/journal/click-journal';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { createApp } from '../support/links';
import { useTestApp } from '../support/test-app';
import { nth } from '../support/nth';
import { CHROME, GOOGLEBOT, IPHONE, plainClick } from '../support/visits';

const ANALYTICS = '/api/v1/service/analytics';
const SEED = 20_301_122;
const HOUR_MS = 3_600_000;

/** Five weeks around the start of daylight saving time in Berlin, where that night ends an ISO week. */
const FROM = Date.parse('2030-03-12T00:00:00Z');
const HOURS = 35 * 24;

interface SentClick extends Pick<Click, 'at' | 'kind' | 'appIds' | 'ip' | 'userAgent'> {
  zone: number;
}

describe('people who click', () => {
  const ZONES = ['Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'];
  const app = useTestApp();
  let organizations: TestOrganization[];
  let apps: [number, number][];
  let clicks: SentClick[];
  let nextId = 700_000;

  beforeAll(async () => {
    app.clock.set('2030-04-20T12:00:00Z');
    organizations = [];
    apps = [];
    for (const timeZone of ZONES) {
      const made = await createOrganization(app, { timeZone });
      organizations.push(made);
      apps.push([
        await createApp(app, made, 'iOS', `i${apps.length}`),
        await createApp(app, made, 'Android', `a${apps.length}`),
      ]);
    }
    clicks = randomClicks();
    for (const click of clicks) await keep(click);
    await counted();
  });

  function randomClicks(): SentClick[] {
    const click = fc.record({
      zone: fc.nat(ZONES.length - 1),
      // Many around midnight, where the days and weeks of time zones differ.
      at: fc
        .tuple(
          fc.nat(HOURS - 1),
          fc.constantFrom(0, 1, HOUR_MS / 4 - 1, HOUR_MS / 4, HOUR_MS / 2, HOUR_MS - 1),
        )
        .map(([hour, offset]) => FROM + hour * HOUR_MS + offset),
      kind: fc.constantFrom<Click['kind'][]>('link', 'campaign'),
      apps: fc.constantFrom([], [0], [1], [0, 1]),
      ip: fc.nat(9).map((n) => `203.0.113.${n}`),
      userAgent: fc.constantFrom(CHROME, CHROME, IPHONE, GOOGLEBOT),
    });
    return fc.sample(click, { numRuns: 600, seed: SEED }).map(({ apps: of, ...rest }) => ({
      ...rest,

      appIds: of.map((i) => apps[rest.zone]?.[i] ?? 0),
    }));
  }

  function keep({ zone, ...click }: SentClick, id = nextId++) {
    const organizationId = organizations[zone]?.organizationId ?? 0;
    const made = plainClick({ id, trackedLinkId: 9_100 + zone, organizationId, ...click });
    return app.get(ClickJournal).append(made);
  }

  const counted = () =>
    eventually(async () => {
      const [row] = await app.sql<{ n: number }>('SELECT count(*)::int AS n FROM clicks');
      expect(row?.n).toBe(clicks.length);
    });

  /** Computes the figures from the individual clicks. */
  function oracle(zone: number, appId: number | null, startOf: 'day' | 'week') {
    const periods = new Map<string, { visitors: Set<string>; link: number; campaign: number }>();
    for (const click of clicks) {
      if (click.zone !== zone || click.userAgent === GOOGLEBOT) continue;
      if (appId !== null && !click.appIds.includes(appId)) continue;
      const start = DateTime.fromMillis(click.at, { zone: ZONES[zone] }).startOf(startOf).toISODate() ?? '';
      const period = periods.get(start) ?? { visitors: new Set(), link: 0, campaign: 0 };
      period.visitors.add(`${click.ip} ${click.userAgent}`);
      period[click.kind]++;
      periods.set(start, period);
    }
    return [...periods]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([start, { visitors, link, campaign }]) => ({
        start,
        uniqueVisitors: visitors.size,
        totalClicks: link + campaign,
        urlClicks: link,
        campaignClicks: campaign,
      }));
  }

  const get = async (zone: number, path: string, query: Record<string, string | number> = {}) =>
    (await nth(organizations, zone).api.get(`${ANALYTICS}/${path}`, query).expect(200)).body;

  const agree = async () => {
    for (const zone of ZONES.keys()) {
      for (const appId of [null, ...(apps[zone] ?? [])]) {
        const of: Record<string, number> = appId === null ? {} : { appId };
        const days = oracle(zone, appId, 'day').map(({ start: date, ...rest }) => ({ date, ...rest }));
        const range = { startDate: '2030-03-01', endDate: '2030-04-20' };
        const daily = await get(zone, 'dau', { ...range, ...of });
        const visitors = days.map(({ uniqueVisitors }) => uniqueVisitors);
        const sum = visitors.reduce((a, b) => a + b, 0);
        expect(daily).toEqual({
          appId,
          ...range,
          timeZone: ZONES[zone],
          timeZoneChangedAt: null,
          daily: days,
          summary: {
            daysWithData: days.length,
            avgUniqueVisitors: Math.round((sum / days.length) * 10) / 10,
            maxUniqueVisitors: Math.max(...visitors),
            totalClicks: days.reduce((a, { totalClicks }) => a + totalClicks, 0),
          },
        });
        const weekly = await get(zone, 'wau', { year: 2030, ...of });
        expect(weekly.weekly).toEqual(
          oracle(zone, appId, 'week').map(({ start, ...rest }) => ({
            year: 2030,
            weekOfYear: DateTime.fromISO(start).weekNumber,
            weekStartDate: start,
            weekEndDate: DateTime.fromISO(start).plus({ days: 6 }).toISODate(),
            ...rest,
          })),
        );
      }
    }
  };

  it('are counted exactly, by day and ISO week of every time zone, for each app and for all', async () => {
    expect(clicks.filter(({ userAgent }) => userAgent !== GOOGLEBOT).length).toBeGreaterThan(400);
    await agree();
  });

  it('are counted once when a click is repeated, and late clicks on their own day', async () => {
    const [first] = clicks;
    if (first) await keep(first, 700_000);
    const late = { ...nth(clicks, 1), at: FROM + 5 * HOUR_MS, ip: '198.51.100.99', userAgent: CHROME };
    clicks.push(late);
    await keep(late);
    await counted();
    await agree();
  });

  it('are forgotten after a week, and stay counted', async () => {
    app.clock.set('2030-04-20T12:00:00Z');
    const known = () => app.sql('SELECT DISTINCT week FROM click_visitors ORDER BY week');
    const salts = () => app.sql(`SELECT name FROM click_salts WHERE name LIKE 'week %' ORDER BY name`);
    expect(await known()).toHaveLength(6);
    await app.get(ClickHousekeeping).deleteOld();
    expect(await known()).toEqual([{ week: '2030-04-08' }, { week: '2030-04-15' }]);
    expect(await salts()).toEqual([{ name: 'week 2030-04-08' }, { name: 'week 2030-04-15' }]);
    await agree();
  });

  it('are queried by days and weeks back from today, or by dates, within retention', async () => {
    app.clock.set('2030-04-01T20:00:00Z');
    // In Kathmandu it is the 2nd.
    expect(await get(1, 'dau')).toMatchObject({ startDate: '2030-03-04', endDate: '2030-04-02' });
    expect(await get(1, 'dau', { days: 1 })).toMatchObject({
      startDate: '2030-04-02',
      endDate: '2030-04-02',
    });
    expect(await get(1, 'dau', { days: 366 })).toMatchObject({ startDate: '2029-04-02' });
    expect(await get(1, 'dau', { days: 5, startDate: '2030-03-30' })).toMatchObject({
      startDate: '2030-03-30',
      endDate: '2030-04-02',
    });
    for (const days of [0, 400, 'x']) {
      expect(await get(1, 'dau', { days, endDate: '2030-03-30' })).toMatchObject({ endDate: '2030-03-30' });
    }
    expect(await get(1, 'wau', { weeks: 99, year: 2029 })).toMatchObject({ year: 2029 });
    expect(await get(1, 'dau', { days: 5, endDate: '2030-03-30' })).toMatchObject({
      startDate: '2030-03-01',
      endDate: '2030-03-30',
    });
    const old = await get(1, 'dau', { startDate: '2028-01-01', endDate: '2028-02-01' });
    expect(old).toMatchObject({
      startDate: '2029-02-27',
      endDate: '2029-02-26',
      daily: [],
      summary: { daysWithData: 0, avgUniqueVisitors: 0, maxUniqueVisitors: 0, totalClicks: 0 },
    });
    const weeks = await get(1, 'wau');
    expect(weeks).toMatchObject({ appId: null, timeZone: 'Asia/Kathmandu', weeks: 12, since: '2030-01-14' });
    expect(weeks).not.toHaveProperty('year');
    expect(weeks.weekly[0].weekStartDate).toBe('2030-03-11');
    expect(await get(1, 'wau', { weeks: 1 })).toMatchObject({ since: '2030-04-01' });
    expect(await get(1, 'wau', { weeks: 53 })).toMatchObject({ since: '2029-04-02' });
    const year = await get(1, 'wau', { year: 2029, weeks: 3 });
    expect(year).toEqual({
      appId: null,
      timeZone: 'Asia/Kathmandu',
      timeZoneChangedAt: null,
      year: 2029,
      weekly: [],
      summary: { weeksWithData: 0, avgUniqueVisitors: 0, maxUniqueVisitors: 0, totalClicks: 0 },
    });
  });

  it.each([
    ['dau?startDate=2030-04-03', 'INVALID_DATE_RANGE'],
    ['dau?startDate=2029-03-01&endDate=2030-03-02', 'INVALID_DATE_RANGE'],
  ])('are not queried as %s', async (path, code) => {
    app.clock.set('2030-04-01T20:00:00Z');
    const { body } = await nth(organizations, 1).api.get(`${ANALYTICS}/${path}`).expect(400);
    expect(body.code).toBe(code);
  });

  it('are visible with mau.view, whatever the add-ons, for own apps', async () => {
    const seeing = await createOrganization(app, { addOns: [], permissions: ['mau.view'] });
    for (const path of ['dau', 'wau']) {
      await seeing.api.get(`${ANALYTICS}/${path}`).expect(200);
      for (const appId of [nth(apps, 0)[0], 999_999]) {
        const { body: refused } = await seeing.api.get(`${ANALYTICS}/${path}?appId=${appId}`).expect(403);
        expect(refused.code).toBe('APP_NOT_OWNED');
      }
    }
  });
});
