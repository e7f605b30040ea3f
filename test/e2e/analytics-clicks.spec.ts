import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  type Breakdown,
  BREAKDOWNS,
  METRICS,
} from '../../src/modules/click-statistics/breakdowns/breakdowns';
import { ClickSumBuilder } from '../../src/modules/click-statistics/breakdowns/click-sum-builder';
import type { Click } from '../../src/modules/clicks/click';
import { createCampaign } from '../support/campaigns';
import { ADDRESSES, ClickOracle, type OracleClick, type OracleQuery } from '../support/click-oracle';
import { clickSums, countClicks } from '../support/click-sums';
import { eventually } from '../support/eventually';
import { consoleApi, createOrganization, deduplicate } from '../support/factories';
import { codeOf, createApp, createLink } from '../support/links';
import { nth } from '../support/nth';
import { perSuite, SHORT_HOST, useTestApp } from '../support/test-app';
import { CHROME, GALAXY, GOOGLEBOT, IPHONE, plainClick, visit } from '../support/visits';

const PATH = '/api/v1/service/analytics/clicks';
const HOUR_MS = 3_600_000;
const ZONE = 'Europe/Berlin';
const HOURS = 49 * 24;
const SEED = 20_301_027;

/** Seven weeks around the end of daylight saving time, with a whole month in the middle. */
const FROM = Date.parse('2030-09-26T00:00:00Z');

const app = useTestApp();

describe('Clicks of an organization', () => {
  let oracle: ClickOracle;
  let clicks: OracleClick[];
  let links: number[];
  let campaigns: number[];
  let apps: number[];

  beforeAll(() => app.clock.set('2030-11-20T12:00:00Z'));
  const organization = perSuite(() => createOrganization(app, { timeZone: ZONE }));
  beforeAll(async () => {
    const tags = [['News', 'Sale'], ['sale'], []];
    links = [];
    for (const each of tags)
      links.push((await createLink(organization, { tags: each, title: `Link ${each.join()}` })).id);
    campaigns = [
      (await createCampaign(organization, { tags: ['Autumn', 'SALE'] })).id,
      (await createCampaign(organization, { name: 'B' })).id,
    ];
    apps = [
      await createApp(app, organization, 'iOS', 'i0'),
      await createApp(app, organization, 'Android', 'a0'),
    ];
    clicks = madeClicks();
    await countClicks(app, clicks);
    oracle = new ClickOracle(
      clicks,
      {
        tags: new Map([
          [`link/${nth(links, 0)}`, ['news', 'sale']],
          [`link/${nth(links, 1)}`, ['sale']],
          [`campaign/${nth(campaigns, 0)}`, ['autumn', 'sale']],
        ]),
        domains: new Map([
          ...links.map((id) => [`link/${id}`, SHORT_HOST] as const),
          ...campaigns.map((id) => [`campaign/${id}`, SHORT_HOST] as const),
        ]),
      },
      ZONE,
    );
  });

  function madeClicks(): OracleClick[] {
    const click = fc.record({
      at: fc
        .tuple(fc.nat(HOURS - 1), fc.nat(3))
        .map(([hour, quarter]) => FROM + hour * HOUR_MS + (quarter * HOUR_MS) / 4),
      target: fc.nat(4),
      appIds: fc.constantFrom([], [nth(apps, 0)], [nth(apps, 1), nth(apps, 0)]),
      ip: fc.constantFrom(...Object.keys(ADDRESSES)),
      userAgent: fc.constantFrom(CHROME, CHROME, IPHONE, GALAXY, GOOGLEBOT, 'curl-crawler/1.0'),
      referrer: fc.constantFrom(null, 'https://www.example.com/a', 'https://news.example.org/', 'bad'),
      tracker: fc.constantFrom(null, 'poster', 'flyer'),
      utm: fc.constantFrom(
        null,
        ['mail', null, null, null] as const,
        ['mail', 'cpc', 'shoes', 'b"1', 'spring, {1}'] as const,
        [null, null, null, null, 'autumn'] as const,
      ),
      variant: fc.constantFrom(null, 'https://example.com/a?x=1,2', 'https://example.com/b'),
    });
    return fc.sample(click, { numRuns: 700, seed: SEED }).map(({ target, ...rest }, i) => {
      const kind: Click['kind'] = target < 3 ? 'link' : 'campaign';
      const trackedLinkId = target < 3 ? nth(links, target) : nth(campaigns, target - 3);
      const made = plainClick({
        id: 900_000 + i,
        organizationId: organization.organizationId,
        ...rest,
        kind,
        trackedLinkId,
        tracker: kind === 'campaign' ? rest.tracker : null,
      });
      return { ...made, day: DateTime.fromMillis(rest.at, { zone: ZONE }).toISODate() ?? '' };
    });
  }

  const get = (query: Record<string, unknown>, status = 200) =>
    organization.api.get(PATH, query).expect(status);

  async function agree(query: OracleQuery): Promise<void> {
    const { filters, ...rest } = query;
    const { body } = await get({ ...rest, ...filters });
    const { total, series, groups } = oracle.answer(query);
    const counted =
      query.interval === 'hour'
        ? body.series.filter((each: { value: number }) => each.value > 0)
        : body.series;
    expect({
      query,
      total: body.total,
      series: counted,
      groups: body.groups.map((group: { key: string; value: number }) => [group.key, group.value]),
    }).toEqual({ query, total, series, groups });
  }

  async function agreeOnEverything(): Promise<void> {
    for (const metric of METRICS) {
      for (const groupBy of BREAKDOWNS) {
        const range = { startDate: '2030-09-28', endDate: '2030-11-10' };
        await agree({ metric, groupBy, interval: 'day', limit: 2, filters: {}, ...range });
      }
    }
  }

  async function agreeOnSamples(seed: number): Promise<void> {
    const query = fc.record({
      metric: fc.constantFrom(...METRICS),
      groupBy: fc.option(fc.constantFrom(...BREAKDOWNS), { nil: undefined }),
      interval: fc.constantFrom<OracleQuery['interval'][]>('hour', 'day', 'week', 'month'),
      first: fc.nat(52),
      length: fc.nat(45),
      limit: fc.constantFrom(1, 3, 100),
      filters: fc.array(
        fc.tuple(
          fc.constantFrom(...BREAKDOWNS),
          fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 3 }),
        ),
        { maxLength: 2 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(query, ({ first, length, filters, ...rest }) => {
        const date = (n: number) => new Date(FROM + n * 24 * HOUR_MS).toISOString().slice(0, 10);
        return agree({
          ...rest,
          startDate: date(first - 3),
          endDate: date(first - 3 + (rest.interval === 'hour' ? length % 31 : length)),
          filters: Object.fromEntries(
            filters.map(([breakdown, picks]) => [
              breakdown,
              picks.map(([n, excluded]) => `${excluded ? '!' : ''}${pick(breakdown, n)}`),
            ]),
          ),
        });
      }),
      { numRuns: 150, seed },
    );
  }

  it('agree with the individual clicks for every metric and dimension', async () => {
    await agreeOnEverything();
  });

  it('agree with them for every filter, interval and range', async () => {
    await agreeOnSamples(SEED);
  });

  const build = () => app.get(ClickSumBuilder).build(400);

  it('agree when days and months are read from their sums', async () => {
    await build();
    const [row] = await app.sql<{ days: number; months: number }>(
      `SELECT count(*) FILTER (WHERE unit = 1)::int AS days, count(*) FILTER (WHERE unit = 2)::int AS months
         FROM click_sums WHERE claim IS NULL`,
    );
    expect(row).toEqual({ days: 56, months: 1 });
    await agreeOnEverything();
    await agreeOnSamples(1);
  });

  /** A value that some click has. */
  function pick(breakdown: Breakdown, n: number): string {
    return nth(oracle.valuesOf(nth(clicks, n % clicks.length), breakdown), 0);
  }
});

describe('Clicks of an organization by day', () => {
  const { count, build, get, stored } = clickSums(app);

  beforeEach(() => app.clock.set('2030-11-20T12:00:00Z'));

  const at = (time: string) => Date.parse(time);
  const counted = (series: { start: string; value: number }[]) => series.filter(({ value }) => value > 0);

  it.each([
    { zone: 'America/New_York', day: '2030-03-10', hours: 23 },
    { zone: 'America/New_York', day: '2030-11-03', hours: 25 },
    { zone: 'Europe/Berlin', day: '2030-03-31', hours: 23 },
    { zone: 'Europe/Berlin', day: '2030-10-27', hours: 25 },
    { zone: 'Asia/Seoul', day: '2030-03-31', hours: 24 },
    { zone: 'Asia/Kolkata', day: '2030-10-27', hours: 24 },
  ])('have every hour of $day in $zone: $hours', async ({ zone, day, hours }) => {
    app.clock.set(new Date(at(`${day}T12:00:00Z`) + 10 * 24 * HOUR_MS).toISOString());
    const organization = await createOrganization(app, { timeZone: zone });
    const { series } = await get(organization, { startDate: day, endDate: day, interval: 'hour' });
    const starts = series.map(({ start }: { start: string }) => at(start));
    expect(starts).toHaveLength(hours);
    const [first] = starts as [number];
    expect(starts).toEqual(Array.from({ length: hours }, (_, i) => first + i * HOUR_MS));
    // One click in the first hour, two in the second, and some in the hours around the day.
    const clicks = [first - 1, first + hours * HOUR_MS].map((time) => ({ at: time }));
    await count(organization, [
      ...clicks,
      ...starts.flatMap((start: number, i: number) =>
        Array.from({ length: i + 1 }, () => ({ at: start + i * 60_000 })),
      ),
    ]);
    const answer = () => get(organization, { startDate: day, endDate: day, interval: 'hour' });
    const read = await answer();
    expect(read.series.map(({ value }: { value: number }) => value)).toEqual(
      Array.from({ length: hours }, (_, i) => i + 1),
    );
    expect(read.total).toBe((hours * (hours + 1)) / 2);
    await build();
    expect(await stored(organization, 'day')).toContain(day);
    expect(await answer()).toEqual(read);
    // The next test need not sum its days.
    await app.sql('UPDATE organizations SET deleted_at = now() WHERE id = $1', [organization.organizationId]);
  });

  it('keep the days of the zone in which clicks were counted', async () => {
    const organization = await createOrganization(app, { timeZone: 'Asia/Seoul' });
    app.clock.set('2030-10-10T00:00:00Z');
    // In Seoul the 9th, 10th and 10th, in Los Angeles the 9th, 9th and 10th.
    const times = ['2030-10-09T14:00:00Z', '2030-10-09T16:00:00Z', '2030-10-10T08:00:00Z'].map(at);
    const clicks = times.map((time) => ({ at: time }));
    await count(organization, clicks);
    app.clock.set('2030-10-10T08:30:00Z');
    await consoleApi(app)
      .patch(organization.consolePath, {
        timeZone: 'America/Los_Angeles',
      })
      .expect(200);
    await count(organization, clicks);
    app.clock.set('2030-10-13T12:00:00Z');
    const answer = async () =>
      counted((await get(organization, { startDate: '2030-10-05', endDate: '2030-10-12' })).series);
    const expected = [
      { start: '2030-10-09', value: 3 },
      { start: '2030-10-10', value: 3 },
    ];
    expect(await answer()).toEqual(expected);
    await build();
    expect(await stored(organization, 'day')).toEqual(expect.arrayContaining(['2030-10-09', '2030-10-10']));
    expect(await answer()).toEqual(expected);
  });

  it('count a visitor once a day, an hour and a value, once for each link or campaign by tag, and again on the next day', async () => {
    const organization = await createOrganization(app, { timeZone: 'UTC' });
    const [first, second] = [
      await createLink(organization, { tags: ['a', 'b'] }),
      await createLink(organization, { tags: ['a'] }),
    ];
    const campaign = await createCampaign(organization, { tags: ['a'] });
    const clickAt = (time: string, trackedLinkId: number, ip = '8.8.8.8') => ({
      at: at(time),
      trackedLinkId,
      ip,
    });
    await count(organization, [
      clickAt('2030-10-01T10:00:00Z', first.id),
      clickAt('2030-10-01T10:30:00Z', second.id),
      clickAt('2030-10-01T11:00:00Z', second.id),
      clickAt('2030-10-01T11:00:00Z', second.id, '126.0.0.1'),
      clickAt('2030-10-02T10:00:00Z', first.id),
      { ...clickAt('2030-10-02T11:00:00Z', campaign.id), kind: 'campaign' },
      { ...clickAt('2030-10-02T11:00:00Z', campaign.id), kind: 'campaign' },
      { ...clickAt('2030-10-02T10:00:00Z', first.id, '126.0.0.9'), userAgent: GOOGLEBOT },
    ]);
    const range = { startDate: '2030-10-01', endDate: '2030-10-02', metric: 'visitors' };
    const figures = async () => {
      const groups = async (query: { groupBy: Breakdown } & object) => {
        const body = await get(organization, { ...range, ...query });
        const values = body.groups.map(({ key, value }: { key: string; value: number }) => [key, value]);
        return { total: body.total, ...Object.fromEntries(values) };
      };
      const hourly = { ...range, endDate: '2030-10-01', interval: 'hour' };
      return {
        days: (await get(organization, range)).series,
        hours: counted((await get(organization, hourly)).series).map(({ value }) => value),
        links: await groups({ groupBy: 'link' }),
        tags: await groups({ groupBy: 'tag' }),
        domains: Object.values(await groups({ groupBy: 'domain' })),
        tagged: await groups({ groupBy: 'country', tag: 'a' } as { groupBy: Breakdown }),
        others: (await get(organization, { ...range, tag: '!b' })).total,
      };
    };
    const expected = {
      days: [
        { start: '2030-10-01', value: 2 },
        { start: '2030-10-02', value: 1 },
      ],
      hours: [1, 2],
      links: { total: 3, [second.id]: 2, [first.id]: 2, '(none)': 1 },
      tags: { total: 3, a: 5, b: 2 },
      domains: [3, 3],
      tagged: { total: 5, US: 4, JP: 1 },
      others: 3,
    };
    expect(await figures()).toEqual(expected);
    await build();
    expect(await figures()).toEqual(expected);
  });

  it('are those of people and programs, without repeated ones where a link is de-duplicated', async () => {
    const organization = await createOrganization(app, { timeZone: 'UTC' });
    const link = await createLink(organization);
    const path = `/${codeOf(link)}`;
    await deduplicate(app, organization, `links/${link.id}`, 60);
    const visits = [
      { ip: '8.8.8.8', userAgent: CHROME },
      // The same address, so the same visitor for de-duplication.
      { ip: '8.8.8.8', userAgent: CHROME },
      { ip: '8.8.8.8', userAgent: IPHONE },
      { ip: '8.8.4.4', userAgent: CHROME },
      { ip: '66.249.66.1', userAgent: GOOGLEBOT },
      { ip: '66.249.66.1', userAgent: GOOGLEBOT },
    ];
    for (const each of visits) await visit(app, path, each).expect(302);
    const day = { startDate: '2030-11-20', endDate: '2030-11-20' };
    const figures = async () => {
      const totals = { clicks: 0, visitors: 0, bots: 0 };
      for (const metric of ['clicks', 'visitors', 'bots'] as const)
        totals[metric] = (await get(organization, { ...day, metric })).total;
      return totals;
    };
    await eventually(async () => expect(await figures()).toEqual({ clicks: 2, visitors: 2, bots: 2 }));
    app.clock.set('2030-11-21T12:00:00Z');
    await build();
    expect(await stored(organization, 'day')).toContain('2030-11-20');
    expect(await figures()).toEqual({ clicks: 2, visitors: 2, bots: 2 });
    const { groups } = await get(organization, { ...day, metric: 'bots', groupBy: 'bot' });
    expect(groups).toMatchObject([{ key: 'Googlebot', value: 2 }]);
  });
});
