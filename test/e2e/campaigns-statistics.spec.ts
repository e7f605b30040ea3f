import { ClickHousekeeping } from '../../src/modules/click-statistics/retention/click-housekeeping';
import { ClickJournal } from '../../src/modules/clicks/journal/click-journal';
import { CompactedMonths } from '../../src/infrastructure/database/compacted-months';
import { CUSTOMER_MONTHS } from '../../src/modules/click-statistics/customers/customer-months';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { SHORT_ORIGIN } from '../support/links';
import { createOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { perTest, useTestApp } from '../support/test-app';
import { CHROME, GOOGLEBOT, IPHONE, plainClick, visit } from '../support/visits';

const DAY_MS = 86_400_000;

describe('statistics of a campaign', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  let campaign: { id: number; alias: string };
  const org = perTest(() => createOrganization(app, { baseCurrency: 'EUR' }));
  beforeEach(async () => {
    campaign = await createCampaign(org, { name: 'Autumn', expiresAt: '2040-01-01T00:00:00Z' });
  });

  const stats = async (query: Record<string, string> = {}, part = 'stats') =>
    (await org.api.get(`${CAMPAIGNS}/${campaign.id}/${part}`, query).expect(200)).body;
  const counted = (clicks: number) =>
    eventually(async () => {
      const [row] = await app.sql(
        `SELECT sum(clicks + bot_clicks)::int AS clicks FROM click_totals WHERE kind = 2 AND tracked_link_id = $1`,
        [campaign.id],
      );
      expect(row).toEqual({ clicks });
    });

  it('is complete before the first click', async () => {
    const body = await stats();
    const days = Array.from({ length: 30 }, (_, i) =>
      new Date(Date.UTC(2026, 9, 22 + i)).toISOString().slice(0, 10),
    );
    expect(body).toEqual({
      campaign: {
        id: campaign.id,
        name: 'Autumn',
        alias: campaign.alias,
        link: `${SHORT_ORIGIN}/c/${campaign.alias}`,
        createdAt: '2026-11-20T08:32:00Z',
        expiresAt: '2040-01-01T00:00:00Z',
      },
      totalClicks: 0,
      dailyClicks: days.map((date) => ({ date, clicks: 0 })),
      hourlyClicks: Array.from({ length: 24 }, (_, hour) => ({ hour, clicks: 0 })),
      userClicks: [],
      topCountries: [],
      topRegions: [],
      topCities: [],
      topTrackers: [],
      topBrowsers: [],
      topOs: [],
      topReferrers: [],
      deviceTypeStats: ['Mobile', 'Desktop', 'Tablet'].map((name) => ({ name, count: 0, percentage: 0 })),
      botClicks: 0,
      visitors: 0,
      dailyVisitors: days.map((date) => ({ date, visitors: 0 })),
      visitorsSince: '2026-10-22',
      hourOfWeek: Array(7).fill(Array(24).fill(0)),
      utmValues: { utmSource: [], utmMedium: [], utmCampaign: [], utmTerm: [], utmContent: [] },
      variants: [],
      revenueStats: {
        totalRevenue: 0,
        currency: 'EUR',
        purchaseCount: 0,
        purchaseConversionRate: 0,
        averageOrderValue: 0,
        dailyRevenue: days.map((date) => ({ date, revenue: 0, purchases: 0 })),
        revenueByGoalType: [],
      },
      meta: { dataRetentionDays: 400, actualStartDate: '2026-10-22', actualEndDate: '2026-11-20' },
    });
    const notByCustomer = {
      visitors: null,
      dailyVisitors: null,
      visitorsSince: null,
      utmValues: null,
      variants: null,
    };
    expect(await stats({ customId: 'nobody' })).toEqual({ ...body, ...notByCustomer });
  });

  it('counts by tracker and customId, and restricts every figure to one customId', async () => {
    const click = async (path: string, userAgent = CHROME, headers: Record<string, string> = {}) => {
      app.clock.advance(60_000);
      await visit(app, `/c/${campaign.alias}${path}`, { userAgent, headers }).expect(302);
    };
    await click('/poster?cid=anna', IPHONE, { Referer: 'https://news.example/' });
    await click('/poster?cid=ben');
    await click('/mail?cid=anna', IPHONE);
    await click('/mail?cid=anna&utm_source=bot', GOOGLEBOT);
    await click('?utm_campaign=autumn', CHROME);
    app.clock.set('2026-11-21T23:59:59Z');
    await click('/mail?cid=anna', CHROME);
    await counted(6);
    const range = { startDate: '2026-11-20', endDate: '2026-11-22' };

    const all = await stats(range);
    expect(all).toMatchObject({
      totalClicks: 5,
      botClicks: 1,
      dailyClicks: [
        { date: '2026-11-20', clicks: 4 },
        { date: '2026-11-21', clicks: 0 },
        { date: '2026-11-22', clicks: 1 },
      ],
      topTrackers: [
        { name: 'mail', count: 2, percentage: 40 },
        { name: 'poster', count: 2, percentage: 40 },
      ],
      userClicks: [
        { customId: 'anna', clicks: 3, lastClickedAt: '2026-11-22T00:00:59Z' },
        { customId: 'ben', clicks: 1, lastClickedAt: '2026-11-20T08:34:00Z' },
      ],
    });
    expect(all.hourlyClicks[8]).toEqual({ hour: 8, clicks: 4 });
    expect(all).toMatchObject({
      visitors: 3,
      dailyVisitors: [
        { date: '2026-11-20', visitors: 2 },
        { date: '2026-11-21', visitors: 0 },
        { date: '2026-11-22', visitors: 1 },
      ],
      visitorsSince: '2026-11-20',
      utmValues: { utmSource: [], utmCampaign: [{ name: 'autumn', count: 1, percentage: 20 }] },
    });
    expect([all.hourOfWeek[4][8], all.hourOfWeek[6][0]]).toEqual([4, 1]);

    const anna = await stats({ ...range, customId: 'anna' });
    expect(anna).toMatchObject({
      totalClicks: 3,
      botClicks: 1,
      dailyClicks: [
        { date: '2026-11-20', clicks: 2 },
        { date: '2026-11-21', clicks: 0 },
        { date: '2026-11-22', clicks: 1 },
      ],
      userClicks: [{ customId: 'anna', clicks: 3, lastClickedAt: '2026-11-22T00:00:59Z' }],
      topTrackers: [
        { name: 'mail', count: 2, percentage: 66.7 },
        { name: 'poster', count: 1, percentage: 33.3 },
      ],
      topReferrers: [
        { name: 'Direct', count: 2, percentage: 66.7 },
        { name: 'news.example', count: 1, percentage: 33.3 },
      ],
      topOs: [
        { name: 'iOS', count: 2, percentage: 66.7 },
        { name: 'Windows', count: 1, percentage: 33.3 },
      ],
      topCountries: [{ name: 'Unknown', code: null, count: 3, percentage: 100 }],
      visitors: null,
      utmValues: null,
      variants: null,
    });
    expect([anna.hourOfWeek[4][8], anna.hourOfWeek[6][0]]).toEqual([2, 1]);
    expect(anna.hourlyClicks.filter((hour: { clicks: number }) => hour.clicks > 0)).toEqual([
      { hour: 0, clicks: 1 },
      { hour: 8, clicks: 2 },
    ]);
    expect(anna.deviceTypeStats[0]).toEqual({ name: 'Mobile', count: 2, percentage: 66.7 });
    const firstDay = await stats({ startDate: '2026-11-20', endDate: '2026-11-20', customId: 'anna' });
    expect(firstDay.userClicks).toEqual([
      { customId: 'anna', clicks: 2, lastClickedAt: '2026-11-20T08:35:00Z' },
    ]);
    expect((await stats({ ...range, customId: 'ann' })).totalClicks).toBe(0);
    expect(await stats({ ...range, customId: '' })).toEqual(all);
  });

  it('counts users of two campaigns separately', async () => {
    const second = await createCampaign(org);
    await visit(app, `/c/${campaign.alias}?cid=same`);
    await visit(app, `/c/${second.alias}?cid=same`);
    await visit(app, `/c/${second.alias}?cid=same`);
    await counted(1);
    expect((await stats()).userClicks).toMatchObject([{ customId: 'same', clicks: 1 }]);
    campaign = second;
    await counted(2);
    expect((await stats({ customId: 'same' })).userClicks).toMatchObject([{ customId: 'same', clicks: 2 }]);
  });

  it.each([
    ['app-install-stats', { timeZone: 'Mars/Olympus' }, 'VALIDATION_FAILED', 'timeZone'],
    ['app-install-stats', { timeZone: '+09:00' }, 'VALIDATION_FAILED', 'timeZone'],
    ['app-install-stats', { timeZone: '' }, 'VALIDATION_FAILED', 'timeZone'],
  ])('refuses %s with %j: %s', async (part, query, code, field) => {
    const { body } = await org.api.get(`${CAMPAIGNS}/${campaign.id}/${part}`, query).expect(400);
    expect(body.code).toBe(code);
    expect(body.details?.[0]?.field).toBe(field);
  });

  it('counts install statistics by days of the requested time zone', async () => {
    app.clock.set('2026-11-19T14:59:59Z');
    const today = await stats({ timeZone: 'Asia/Seoul' }, 'app-install-stats');
    expect(today).toMatchObject({
      period: '2026-10-21/2026-11-19',
      appName: campaign.alias,
      platform: 'All',
    });
    app.clock.set('2026-11-19T15:00:00Z');
    const tomorrow = await stats({ timeZone: 'Asia/Seoul' }, 'app-install-stats');
    expect(tomorrow.period).toBe('2026-10-22/2026-11-20');
    expect(tomorrow.dailyInstalls).toHaveLength(30);
    expect((await stats({}, 'app-install-stats')).period).toBe('2026-10-21/2026-11-19');
  });

  describe('of many users', () => {
    const TODAY = Date.UTC(2031, 5, 30);
    let nextId = 1;

    const click = (user: string, at: number, userAgent = CHROME) => {
      const of = {
        kind: 'campaign',
        trackedLinkId: campaign.id,
        organizationId: org.organizationId,
      } as const;
      return plainClick({ id: nextId++, at, ...of, userAgent, customId: user });
    };
    type MadeClick = ReturnType<typeof click>;
    const record = async (clicks: MadeClick[]) => {
      for (let start = 0; start < clicks.length; start += 5_000) {
        const slice = clicks.slice(start, start + 5_000);
        await Promise.all(slice.map((each) => app.get(ClickJournal).append(each)));
      }
    };
    const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

    /** The expected response, computed from the clicks; the order of equal counts is undefined. */
    const expected = (clicks: readonly MadeClick[], startDate: string, endDate: string) => {
      const users = new Map<string, { clicks: number; last: number }>();
      for (const { customId, at, userAgent } of clicks) {
        if (userAgent === GOOGLEBOT || dayOf(at) < startDate || dayOf(at) > endDate) continue;
        const user = users.get(customId) ?? { clicks: 0, last: 0 };
        users.set(customId, { clicks: user.clicks + 1, last: Math.max(user.last, at) });
      }
      return [...users].map(([customId, user]) => ({
        customId,
        clicks: user.clicks,
        lastClickedAt: `${new Date(user.last).toISOString().slice(0, 19)}Z`,
      }));
    };
    const ranked = (rows: { customId: string; clicks: number }[]) =>
      rows.toSorted((a, b) => b.clicks - a.clicks || (a.customId < b.customId ? -1 : 1));

    beforeEach(() => {
      app.clock.set(new Date(TODAY + 12 * 3_600_000));
    });

    it('lists the thousand with the most clicks', async () => {
      // The last 30 users click twice, and the very last three times, so they must rank first.
      const clicks = Array.from({ length: 1_030 }, (_, n) => click(`user-${n}`, TODAY + n));
      clicks.push(...Array.from({ length: 30 }, (_, n) => click(`user-${1_000 + n}`, TODAY + 5_000 + n)));
      clicks.push(click('user-1029', TODAY + 9_000));
      await record(clicks);
      await counted(clicks.length);
      const { userClicks, totalClicks } = await stats({ startDate: '2031-06-01', endDate: '2031-06-30' });
      expect(totalClicks).toBe(1_061);
      expect(userClicks).toHaveLength(1_000);
      expect(userClicks[0]).toEqual({
        customId: 'user-1029',
        clicks: 3,
        lastClickedAt: '2031-06-30T00:00:09Z',
      });
      expect(userClicks.slice(1, 30).every((user: { clicks: number }) => user.clicks === 2)).toBe(true);
      expect(userClicks.slice(30).every((user: { clicks: number }) => user.clicks === 1)).toBe(true);
      const { userClicks: one } = await stats({ customId: 'user-3' });
      expect(one).toMatchObject([{ customId: 'user-3', clicks: 1 }]);
    });

    it('stays exact over any range while days are compacted, extended by late clicks and deleted', async () => {
      let seed = 42;
      const random = (n: number) => {
        seed = (seed * 48_271) % 2_147_483_647;
        return Math.floor((seed / 2_147_483_647) * n);
      };
      const someday = (days: number) => TODAY - random(days) * DAY_MS + random(DAY_MS / 1000) * 1000;
      const clicks = Array.from({ length: 7_500 }, (_, n) =>
        click(`user-${random(250)}`, someday(100), n % 50 === 0 ? GOOGLEBOT : CHROME),
      );
      await record(clicks);
      await counted(clicks.length);
      const check = async () => {
        for (const [from, to] of [
          [99, 0],
          [1, 1],
          [90, 29],
          [91, 30],
          [60, 3],
          [12, 1],
        ] as const) {
          const [startDate, endDate] = [dayOf(TODAY - from * DAY_MS), dayOf(TODAY - to * DAY_MS)];
          const body = await stats({ startDate, endDate });
          const wanted = ranked(expected(clicks, startDate, endDate));
          expect(ranked(body.userClicks)).toEqual(wanted);
          const order = body.userClicks.map((user: { clicks: number }) => user.clicks);
          expect(order).toEqual(order.toSorted((a: number, b: number) => b - a));
          const { customId } = wanted[0] ?? { customId: '' };
          const one = await stats({ startDate, endDate, customId });
          expect(one.userClicks).toEqual(wanted.filter((user) => user.customId === customId));
          expect(one.totalClicks).toBe(wanted[0]?.clicks ?? 0);
        }
      };
      const compact = async () => {
        await app.get(CompactedMonths).compact([CUSTOMER_MONTHS], new Map([[org.organizationId, 400]]));
        const months = await app.sql<{ month: string }>(
          `SELECT DISTINCT month::text FROM customer_months WHERE campaign_id = $1 ORDER BY month`,
          [campaign.id],
        );
        expect(months.map(({ month }) => month)).toEqual(['2031-03-01', '2031-04-01', '2031-05-01']);
      };
      await check();
      await compact();
      await check();

      // Late clicks from a spool, some of them on days already compacted.
      const late = Array.from({ length: 2_500 }, () => click(`user-${random(350)}`, someday(98)));
      await record(late);
      clicks.push(...late);
      await counted(clicks.length);
      await check();
      await compact();
      await check();

      // A year later only the last weeks are retained, with the same figures and without older users.
      app.clock.set(new Date(TODAY + 360 * DAY_MS));
      await app.get(ClickHousekeeping).deleteOld();
      const startDate = dayOf(TODAY - 39 * DAY_MS);
      const endDate = dayOf(TODAY);
      expect(ranked((await stats({ startDate, endDate })).userClicks)).toEqual(
        ranked(expected(clicks, startDate, endDate)),
      );
      const [oldest] = await app.sql(`SELECT min(day) AS day FROM customer_days WHERE campaign_id = $1`, [
        campaign.id,
      ]);
      expect(oldest).toEqual({ day: dayOf(TODAY - 40 * DAY_MS) });
      app.clock.set(new Date(TODAY + 500 * DAY_MS));
      await app.get(ClickHousekeeping).deleteOld();
      for (const table of ['customer_days', 'customer_months', 'campaign_customers']) {
        expect(await app.sql(`SELECT FROM ${table} WHERE campaign_id = $1`, [campaign.id])).toEqual([]);
      }
      // A user whose data was deleted is counted again when they return.
      await record([click('user-1', TODAY + 500 * DAY_MS)]);
      const again = { startDate: dayOf(TODAY + 500 * DAY_MS), endDate: dayOf(TODAY + 500 * DAY_MS) };
      await eventually(async () => {
        expect((await stats(again)).userClicks).toMatchObject([{ customId: 'user-1', clicks: 1 }]);
      });
    });
  });
});
