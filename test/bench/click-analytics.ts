import type { DataSource } from 'typeorm';
import {
  type Breakdown,
  BREAKDOWNS,
  METRICS,
} from '../../src/modules/click-statistics/breakdowns/breakdowns';
import { makeApiKey } from './support/api-key';
import { lastDays } from './support/click-load';
import { percentile } from './support/wrk';
import {
  buildClickSums,
  type ClickVolume,
  loadOrganizationClicks,
  loadTaggedLinks,
} from './support/organization-clicks';
import { BenchProcess, cpuOfTree, printLoad } from './support/processes';
import { type BenchStores, loadLinks, postmasterOf } from './support/stores';

/*
 * Measures `analytics/clicks` over HTTP: every dimension, metric and interval over 366 days, then the same compared with
 * the 366 days that end a day earlier, of an organization with ten million clicks, beside one with a tenth of them on as
 * many links; then crossed filters over a range with a tenth of the clicks.
 */
const FULL: ClickVolume = {
  clicks: Number(process.env.BENCH_CLICKS ?? 10_000_000),
  links: Number(process.env.BENCH_LINKS ?? 100_000),
  days: 366,
};
const TENTH: ClickVolume = { ...FULL, clicks: FULL.clicks / 10 };
/** Requests of each metric and interval. */
const READS = Number(process.env.BENCH_READS ?? 8);
const CROSSED_READS = 2 * READS;
const WARM_UP = 1;
const PORT = 23_023;
const GOAL_MS = 50;
/** Of dimensions with as many values as the organization has links. */
const TARGET_GOAL_MS = 300;
const CROSSED_GOAL_MS = 1_000;
const GOAL_RATIO = 1.5;
const INTERVALS = ['day', 'week', 'month'];

interface Customer {
  organizationId: number;
  apiKey: string;
}

async function makeCustomer(database: DataSource, volume: ClickVolume): Promise<Customer> {
  const organizationId = await loadLinks(database, 0);
  const apiKey = await makeApiKey(database, organizationId);
  await loadTaggedLinks(database, organizationId, volume.links);
  const rate = await loadOrganizationClicks(database, organizationId, volume);
  console.log(`loaded ${volume.clicks} clicks of ${volume.links} links at ${Math.round(rate)} clicks/s`);
  return { organizationId, apiKey };
}

type Query = Record<string, string | string[]>;

function addressOf(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [key, values] of Object.entries(query)) {
    for (const value of [values].flat()) parameters.append(key, value);
  }
  return `/api/v1/service/analytics/clicks?${parameters.toString()}`;
}

interface Measured {
  server: BenchProcess;
  /** Ids of the processes whose CPU time counts, with their children. */
  processes: readonly number[];
}

/** Reads one query from both customers in turn, so that other load on the machine affects both. */
async function measure(
  { server, processes }: Measured,
  customers: readonly Customer[],
  queries: readonly Query[],
  reads: number,
) {
  const times = customers.map((): number[] => []);
  const cpu = customers.map((): number[] => []);
  const used = () => processes.reduce((sum, pid) => sum + cpuOfTree(pid), 0);
  const byQuery = queries.map((): number[] => []);
  for (let read = -WARM_UP; read < reads; read++) {
    for (const [q, query] of queries.entries()) {
      for (const [c, { apiKey }] of customers.entries()) {
        const usedBefore = used();
        const startedAt = performance.now();
        const response = await fetch(server.url + addressOf(query), { headers: { 'X-API-KEY': apiKey } });
        const text = await response.text();
        if (response.status !== 200) throw new Error(`${addressOf(query)}: ${response.status} ${text}`);
        const took = performance.now() - startedAt;
        if (read < 0) continue;
        cpu[c]?.push(used() - usedBefore);
        times[c]?.push(took);
        if (c === 0) byQuery[q]?.push(took);
      }
    }
  }
  const medians = byQuery.map((each) => percentile(each, 0.5));
  const slowest = Math.max(...medians);
  return {
    times,
    cpu: cpu.map((each) => percentile(each, 0.5)),
    slowest,
    slowestQuery: queries[medians.indexOf(slowest)] ?? {},
  };
}

function report(
  name: string,
  goal: number,
  { times, cpu, slowest, slowestQuery }: Awaited<ReturnType<typeof measure>>,
) {
  const [p50 = NaN, tenthP50 = NaN] = times.map((each) => percentile(each, 0.5));
  const [p95 = NaN, tenthP95 = NaN] = times.map((each) => percentile(each, 0.95));
  const ratio = p50 / tenthP50;
  const missed = [...(p95 > goal ? ['p95'] : []), ...(ratio > GOAL_RATIO ? ['ratio'] : [])];
  const { startDate: _, endDate: __, compareStartDate: ___, compareEndDate: ____, ...kind } = slowestQuery;
  console.log(
    `${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (at most ${goal}), CPU ${(cpu[0] ?? NaN).toFixed(1)} ms` +
      (times.length > 1
        ? `; with a tenth p50 ${tenthP50.toFixed(1)} ms, p95 ${tenthP95.toFixed(1)} ms, CPU ${(cpu[1] ?? NaN).toFixed(1)} ms, ratio of p50 ${ratio.toFixed(2)}, of p95 ${(p95 / tenthP95).toFixed(2)}`
        : '') +
      `; slowest ${Object.values(kind).flat().join(' ')}: p50 ${slowest.toFixed(1)} ms${missed.length > 0 ? `; MISSED ${missed.join(', ')}` : ''}`,
  );
}

/** A value of each dimension that many clicks have. */
async function filterValues(database: DataSource, { organizationId }: Customer) {
  const idOf = async (table: string) => {
    const [row] = await database.query<[{ id: number }]>(
      `SELECT min(id)::bigint AS id FROM ${table} WHERE organization_id = $1`,
      [organizationId],
    );
    return String(row.id);
  };
  return {
    link: await idOf('links'),
    campaign: await idOf('campaigns'),
    app: await idOf('apps'),
    domain: `d1.o${organizationId}.example`,
    tag: 'tag 1',
    channel: 'channel-1',
    variant: 'https://example.com/1',
    country: 'US',
    region: 'Unknown',
    city: 'Unknown',
    device: 'Desktop',
    os: 'System 1',
    browser: 'Browser 1',
    referrer: 'Direct',
    utmSource: 'source-1',
    utmMedium: 'medium-1',
    utmCampaign: 'campaign-1',
    utmTerm: 'term-1',
    utmContent: 'content-1',
    bot: 'Crawler 1',
  } satisfies Record<Breakdown, string>;
}

export async function benchClicks(stores: BenchStores): Promise<void> {
  const redisUrl = await stores.redis();
  const { url, database } = await stores.database('bench_clicks', 4);
  await database.query(`SET statement_timeout = 0`);
  const full = await makeCustomer(database, FULL);
  const tenth = await makeCustomer(database, TENTH);
  await database.query('VACUUM ANALYZE');
  await buildClickSums(database, FULL.days);
  await database.query('VACUUM ANALYZE');
  const server = await BenchProcess.waypost(PORT, { databaseUrl: url, redisUrl }, { LOG_LEVEL: 'silent' });
  printLoad();
  const measured = { server, processes: [server.pid, await postmasterOf(database)] };
  const { startDate, endDate } = lastDays(FULL.days);
  const range = { startDate, endDate };
  const kinds = METRICS.flatMap((metric) =>
    INTERVALS.map((interval): Query => ({ ...range, metric, interval })),
  );
  // As many days, without today.
  const { startDate: compareStartDate, days } = lastDays(FULL.days + 1);
  const comparison = { compareStartDate, compareEndDate: days.at(-2) ?? '' };
  /** One range, and apart from it the comparison of two. */
  const measureRanges = async (name: string, goal: number, customers: readonly Customer[], extra: Query) => {
    for (const [suffix, more] of [
      ['', extra],
      [', compared', { ...extra, ...comparison }],
    ] as const) {
      const queries = kinds.map((kind) => ({ ...kind, ...more }));
      report(`${name}${suffix}`, goal, await measure(measured, customers, queries, READS));
    }
  };
  await measureRanges('no dimension', GOAL_MS, [full, tenth], {});
  const values = await filterValues(database, full);
  const goalOf = (breakdown: Breakdown) =>
    breakdown === 'link' || breakdown === 'tag' ? TARGET_GOAL_MS : GOAL_MS;
  for (const breakdown of BREAKDOWNS)
    await measureRanges(`groupBy ${breakdown}`, goalOf(breakdown), [full, tenth], { groupBy: breakdown });
  for (const breakdown of BREAKDOWNS)
    await measureRanges(`filter ${breakdown}`, goalOf(breakdown), [full], {
      [breakdown]: values[breakdown],
    });
  const few = lastDays(Math.round(FULL.days / 10));
  const crossings: Query[] = [
    { groupBy: 'country', device: 'Mobile' },
    { groupBy: 'link', country: 'KR' },
    { groupBy: 'tag', country: 'KR' },
    { groupBy: 'utmCampaign', country: ['KR', 'US'], device: '!Mobile' },
    { groupBy: 'browser', tag: 'tag 1', os: 'System 1' },
    { groupBy: 'referrer', domain: values.domain, device: 'Mobile' },
    { country: 'KR', device: 'Mobile', browser: '!Browser 1' },
  ];
  for (const metric of METRICS) {
    for (const crossing of crossings) {
      const query = { startDate: few.startDate, endDate: few.endDate, metric, ...crossing };
      const name = `crossed ${metric}: ${new URLSearchParams(addressOf(crossing).split('?')[1]).toString()}`;
      report(name, CROSSED_GOAL_MS, await measure(measured, [full], [query], CROSSED_READS));
    }
  }
  printLoad();
  await server.stop();
}
