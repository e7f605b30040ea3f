import { ClickHousekeeping } from '../../src/modules/click-statistics/retention/click-housekeeping';
import request from 'supertest';
import { eventually } from '../support/eventually';
import { consoleApi, createOrganization } from '../support/factories';
import { codeOf, createLink, URLS } from '../support/links';
import { perTest, SHORT_HOST, useTestApp } from '../support/test-app';
import { CHROME, GOOGLEBOT, IPHONE } from '../support/visits';

describe('statistics of a short link', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const org = perTest(() => createOrganization(app));
  const link = perTest(() => createLink(org, { url: 'https://shop.example.com/' }));

  const stats = async (query: Record<string, string> = {}, part = 'stats') =>
    (await org.api.get(`${URLS}/${link.id}/${part}`, query).expect(200)).body;
  const click = (userAgent: string, headers: Record<string, string> = {}) =>
    request(app.url)
      .get(`/${codeOf(link)}`)
      .set({ Host: SHORT_HOST, 'User-Agent': userAgent, ...headers })
      .expect(302);
  /** Waits for clicks, which show within two seconds (docs/concepts/counting.md#how-soon-clicks-show) or somewhat more. */
  const settled = (clicks: number) =>
    eventually(async () => expect((await org.api.get(`${URLS}/${link.id}`)).body.clickCount).toBe(clicks));

  it('is complete before the first click', async () => {
    const body = await stats();
    expect(body.url).toEqual((await org.api.get(`${URLS}/${link.id}`)).body);
    expect(body.chartLabels).toHaveLength(30);
    expect([body.chartLabels[0], body.chartLabels[29]]).toEqual(['2026-10-22', '2026-11-20']);
    expect(body.chartData).toEqual(Array(30).fill(0));
    expect(body.hourlyChartLabels).toHaveLength(24);
    expect([body.hourlyChartLabels[0], body.hourlyChartLabels[23]]).toEqual(['00:00', '23:00']);
    expect(body.hourlyChartData).toEqual(Array(24).fill(0));
    expect(body.deviceTypeStats).toEqual(
      ['Mobile', 'Desktop', 'Tablet'].map((name) => ({ name, count: 0, percentage: 0 })),
    );
    expect(body).toMatchObject({
      visitors: 0,
      visitorsChartData: Array(30).fill(0),
      visitorsSince: '2026-10-22',
      hourOfWeek: Array(7).fill(Array(24).fill(0)),
      utmValues: { utmSource: [], utmMedium: [], utmCampaign: [], utmTerm: [], utmContent: [] },
      variants: [],
    });
    expect(body.meta).toEqual({
      dataRetentionDays: 400,
      actualStartDate: '2026-10-22',
      actualEndDate: '2026-11-20',
    });
  });

  it('counts different visitors by day, and clicks by hour of the week', async () => {
    const from = (ip: string, userAgent = IPHONE) => click(userAgent, { 'X-Forwarded-For': ip });
    for (const ip of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) await from(ip);
    await from('203.0.113.1', CHROME);
    await from('203.0.113.9', GOOGLEBOT);
    // A Friday, and a Saturday.
    app.clock.set('2026-11-21T00:00:00Z');
    await from('203.0.113.1');
    await settled(5);
    const body = await stats({ startDate: '2026-11-19', endDate: '2026-11-21' });
    expect(body).toMatchObject({ visitors: 4, visitorsChartData: [0, 3, 1], visitorsSince: '2026-11-19' });
    expect(body.hourOfWeek[4]).toEqual(Array.from({ length: 24 }, (_, hour) => (hour === 8 ? 4 : 0)));
    expect(body.hourOfWeek[5][0]).toBe(1);
    expect(body.hourOfWeek.flat()).toHaveLength(168);
  });

  it('counts a visitor of a day that is past as new, once its salt is gone', async () => {
    await click(IPHONE);
    await settled(1);
    const rows = () => app.sql(`SELECT 1 FROM click_day_visitors WHERE tracked_link_id = $1`, [link.id]);
    app.clock.set('2026-11-22T23:59:00Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await rows()).toHaveLength(1);
    app.clock.set('2026-11-24T03:43:00Z');
    await app.get(ClickHousekeeping).deleteOld();
    expect(await rows()).toEqual([]);
    expect((await stats({ startDate: '2026-11-20' })).visitors).toBe(1);
  });

  it('counts no visitor, variant or utm value of a click that de-duplication filters', async () => {
    const settings = `${org.consolePath}/links/${link.id}/settings`;
    const deduplication = { enabled: true, windowMinutes: 60 };
    await consoleApi(app).put(settings, { deduplication }).expect(200);
    const variants = [1, 2].map((weight) => ({ url: 'https://a.example.com/', weight }));
    await org.api.put(`${URLS}/${link.id}`, { variants }).expect(200);
    const from = (ip: string, query = '') =>
      request(app.url)
        .get(`/${codeOf(link)}${query}`)
        .set({ Host: SHORT_HOST, 'User-Agent': CHROME, 'X-Forwarded-For': ip })
        .expect(302);
    await from('203.0.113.1');
    await from('203.0.113.1', '?utm_source=twice');
    app.clock.set('2026-11-20T09:32:01Z');
    await from('203.0.113.1', '?utm_source=later');
    await from('203.0.113.2');
    await settled(3);
    const body = await stats();
    expect(body.visitors).toBe(2);
    expect(body.variants).toMatchObject([{ clicks: 3, visitors: 2, percentage: 100 }]);
    expect(body.utmValues.utmSource).toMatchObject([{ name: 'later', count: 1 }]);
    expect([body.hourOfWeek[4][8], body.hourOfWeek[4][9]]).toEqual([1, 2]);
  });

  it('counts utm values of destinations', async () => {
    const path = `/${codeOf(link)}?utm_source=mail&utm_campaign=`;
    for (const campaign of ['spring', 'spring', 'a:b "c"']) {
      await request(app.url)
        .get(path + encodeURIComponent(campaign))
        .set({ Host: SHORT_HOST, 'User-Agent': CHROME })
        .expect(302);
    }
    await click(CHROME);
    await settled(4);
    expect((await stats()).utmValues).toEqual({
      utmSource: [{ name: 'mail', count: 3, percentage: 75 }],
      utmMedium: [],
      utmCampaign: [
        { name: 'spring', count: 2, percentage: 50 },
        { name: 'a:b "c"', count: 1, percentage: 25 },
      ],
      utmTerm: [],
      utmContent: [],
    });
  });

  it('counts clicks and visitors of variants, including former ones', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `https://${name}.example.com/?x=1`);
    const put = (variants: { url?: string; weight: number }[]) =>
      org.api.put(`${URLS}/${link.id}`, { variants }).expect(200);
    await put([
      { url: a, weight: 30 },
      { url: a, weight: 20 },
    ]);
    const times = [
      ['203.0.113.1', 2],
      ['203.0.113.2', 1],
    ] as const;
    for (const [ip, count] of times) {
      for (let i = 0; i < count; i++) await click(CHROME, { 'X-Forwarded-For': ip });
    }
    await settled(3);
    expect((await stats()).variants).toEqual([
      { url: a, weight: 50, former: false, clicks: 3, visitors: 2, percentage: 100 },
    ]);
    await put([
      { url: b, weight: 1 },
      { url: c, weight: 1 },
    ]);
    await click(CHROME, { 'X-Forwarded-For': '203.0.113.1' });
    await settled(4);
    const { variants, visitors } = await stats();
    expect(variants.map(({ url }: { url: string }) => url)).toEqual([b, c, a]);
    expect(variants[2]).toEqual({
      url: a,
      weight: null,
      former: true,
      clicks: 3,
      visitors: 2,
      percentage: 75,
    });
    const [taken] = variants.filter(({ clicks }: { clicks: number }) => clicks === 1);
    expect(taken).toMatchObject({ weight: 1, former: false, visitors: 1, percentage: 25 });
    expect(visitors).toBe(2);
  });

  it('counts people by day, hour, referrer, browser and device, and bots separately', async () => {
    await click(IPHONE, { Referer: 'https://news.example.org/article?id=1' });
    await click(IPHONE);
    await click(GOOGLEBOT);
    app.clock.set('2026-11-20T23:59:59Z');
    await click(IPHONE, { Referer: 'https://news.example.org/' });
    await settled(3);
    app.clock.set('2026-11-21T00:00:00Z');
    await click(IPHONE);
    await settled(4);
    const body = await stats({ startDate: '2026-11-20', endDate: '2026-11-21' });
    expect(body).toMatchObject({
      chartLabels: ['2026-11-20', '2026-11-21'],
      chartData: [3, 1],
      botClicks: 1,
      topReferrers: [
        { name: 'Direct', count: 2, percentage: 50 },
        { name: 'news.example.org', count: 2, percentage: 50 },
      ],
      topOsSystems: [{ name: 'iOS', count: 4, percentage: 100 }],
      topCountries: [{ name: 'Unknown', code: null, count: 4, percentage: 100 }],
    });
    expect(body.deviceTypeStats[0]).toEqual({ name: 'Mobile', count: 4, percentage: 100 });
    expect(body.hourlyChartData[8]).toBe(2);
    expect(body.hourlyChartData[23]).toBe(1);
    expect(body.hourlyChartData[0]).toBe(1);
    expect((await stats({ startDate: '2026-11-21' })).chartData[0]).toBe(1);

    const installs = await stats({ startDate: '2026-11-20', endDate: '2026-11-21' }, 'app-install-stats');
    expect(installs).toMatchObject({ totalClicks: 4, totalInstalls: 0, conversionRate: 0 });
    expect(installs.dailyInstalls).toEqual([
      { date: '2026-11-20', installs: 0, iosInstalls: 0, androidInstalls: 0, clicks: 3 },
      { date: '2026-11-21', installs: 0, iosInstalls: 0, androidInstalls: 0, clicks: 1 },
    ]);
  });

  it.each(['stats', 'app-install-stats'])('refuses invalid ranges for %s', async (part) => {
    for (const [query, code] of [
      [{ startDate: '2026-11-20', endDate: '2026-11-19' }, 'INVALID_DATE_RANGE'],
      [{ startDate: '2025-01-01', endDate: '2026-06-01' }, 'INVALID_DATE_RANGE'],
      [{ endDate: '2026-11-20T00:00:00Z' }, 'VALIDATION_FAILED'],
    ] as const) {
      const { body } = await org.api.get(`${URLS}/${link.id}/${part}`, query).expect(400);
      expect(body.code).toBe(code);
    }
  });

  it('limits the range to the plan’s retention', async () => {
    const query = { startDate: '2025-09-01', endDate: '2025-12-31' };
    expect((await stats(query)).meta).toEqual({
      dataRetentionDays: 400,
      actualStartDate: '2025-10-17',
      actualEndDate: '2025-12-31',
    });
    expect((await stats(query, 'app-install-stats')).period).toBe('2025-10-17/2025-12-31');
  });

  it('is empty over a range past retention', async () => {
    const ranges: Record<string, string>[] = [
      { startDate: '2025-09-01', endDate: '2025-10-16' },
      { endDate: '2025-10-16' },
    ];
    for (const query of ranges) {
      const body = await stats(query);
      expect(body).toMatchObject({ chartLabels: [], chartData: [], topCountries: [], botClicks: 0 });
      expect(body.hourlyChartData).toEqual(Array(24).fill(0));
      expect(body.meta).toEqual({
        dataRetentionDays: 400,
        actualStartDate: '2025-10-17',
        actualEndDate: '2025-10-16',
      });
      expect(await stats(query, 'app-install-stats')).toMatchObject({
        period: '2025-10-17/2025-10-16',
        totalClicks: 0,
        dailyInstalls: [],
        recentInstalls: [],
      });
    }
  });

  it('ends today when only startDate is given', async () => {
    expect((await stats({ startDate: '2026-11-18' })).chartLabels).toEqual([
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
    ]);
    expect((await stats({ startDate: '2026-10-01' })).meta.actualEndDate).toBe('2026-10-30');
    expect((await stats({ startDate: '2026-11-18' }, 'app-install-stats')).period).toBe(
      '2026-11-18/2026-11-20',
    );
    const { body } = await org.api.get(`${URLS}/${link.id}/stats?startDate=2026-11-21`).expect(400);
    expect(body).toMatchObject({ code: 'INVALID_DATE_RANGE', message: 'startDate must not be after today' });
  });
});
