import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { Database } from '../../src/infrastructure/database/database';
import {
  type Breakdown,
  BREAKDOWNS,
  METRICS,
} from '../../src/modules/click-statistics/breakdowns/breakdowns';
import { ClickSumBuilder } from '../../src/modules/click-statistics/breakdowns/click-sum-builder';
import { ClickIngest } from '../../src/modules/click-statistics/counting/click-ingest';
import type { Click } from '../../src/modules/clicks/click';
import { createCampaign } from '../support/campaigns';
import { ADDRESSES, ClickOracle, type OracleClick, type OracleQuery } from '../support/click-oracle';
import { createOrganization, type TestOrganization } from '../support/factories';
import { createApp, createLink } from '../support/links';
import { nth } from '../support/nth';
import { SHORT_HOST, useTestApp } from '../support/test-app';
import { CHROME, GALAXY, GOOGLEBOT, IPHONE, plainClick } from '../support/visits';

const PATH = '/api/v1/service/analytics/clicks';
const HOUR_MS = 3_600_000;
const ZONE = 'Europe/Berlin';
/** Seven weeks around the end of daylight saving time, with a whole month in the middle. */
const FROM = Date.parse('2030-09-26T00:00:00Z');
const HOURS = 49 * 24;
const SEED = 20_301_027;

describe('Clicks of an organization', () => {
  const app = useTestApp();
  let organization: TestOrganization;
  let oracle: ClickOracle;
  let clicks: OracleClick[];
  let links: number[];
  let campaigns: number[];
  let apps: number[];

  beforeAll(async () => {
    app.clock.set('2030-11-20T12:00:00Z');
    organization = await createOrganization(app, { timeZone: ZONE });
    const tags = [['News', 'Sale'], ['sale'], []];
    links = [];
    for (const each of tags)
      links.push((await createLink(organization, { tags: each, title: `Link ${each.join()}` })).id);
    campaigns = [
      (await createCampaign(organization)).id,
      (await createCampaign(organization, { name: 'B' })).id,
    ];
    apps = [
      await createApp(app, organization, 'iOS', 'i0'),
      await createApp(app, organization, 'Android', 'a0'),
    ];
    clicks = madeClicks();
    const ingest = app.get(ClickIngest);
    const prepared = await ingest.prepare(clicks);
    await app.get(Database).write((tx) => ingest.ingest(tx, prepared));
    oracle = new ClickOracle(
      clicks,
      {
        tags: new Map([
          [nth(links, 0), ['news', 'sale']],
          [nth(links, 1), ['sale']],
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
        variant: kind === 'link' ? rest.variant : null,
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
