import type { DayRange } from '../../src/common/date-range';
import type { Click } from '../../src/modules/clicks/click';
import { ClickStatisticsQuery } from '../../src/modules/click-statistics/click-statistics.query';
import { CUSTOMER_MONTHS } from '../../src/modules/click-statistics/customers/customer-months';
import { CLICK_MONTHS } from '../../src/modules/click-statistics/rollups/click-months';
import { CustomerClicksQuery } from '../../src/modules/click-statistics/customers/customer-clicks.query';
import { bytes, DAY_MS, lastDays, load, makeClick, makeIngest } from './support/click-load';
import { percentile } from './support/wrk';
import type { BenchStores } from './support/stores';
import { databaseOf } from '../support/database-of';

/*
 * Measures statistics by customId: a campaign with many clicks of 50,000 customIds over 366 days against one with a
 * tenth of the clicks, over the whole time, over shorter ranges, and for a single customId.
 */
const CLICKS = Number(process.env.BENCH_CLICKS ?? 10_000_000);
const USERS = Number(process.env.BENCH_USERS ?? 50_000);
const READS = 100;
const DAYS = 366;
const BUSY = 1;
const QUIET = 2;
const TABLES = 'campaign_customers, customer_days, customer_months';

function campaignClick(campaign: number, n: number, of: number): Click {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const day = today - (DAYS - 1) * DAY_MS + Math.floor((n / of) * DAYS) * DAY_MS;
  const click = makeClick(campaign, day + Math.floor(Math.random() * DAY_MS));
  const customId = `customer-${Math.floor(Math.random() * USERS)}`;
  return { ...click, kind: 'campaign', tracker: `channel-${n % 20}`, customId };
}

export async function benchCampaigns(stores: BenchStores): Promise<void> {
  const { database } = await stores.database('bench_campaign_stats', 4);
  const { ingest, months } = await makeIngest(database);
  const compact = () => months.compact([CLICK_MONTHS, CUSTOMER_MONTHS], new Map([[1, DAYS]]));

  const startedAt = performance.now();
  await load(database, ingest, CLICKS, (n) => campaignClick(BUSY, n, CLICKS));
  const rate = CLICKS / ((performance.now() - startedAt) / 1000);
  console.log(`loaded ${CLICKS} clicks of ${USERS} customIds at ${Math.round(rate)} clicks/s`);
  const behindAt = performance.now();
  await compact();
  console.log(`compacted in ${((performance.now() - behindAt) / 1000).toFixed(1)} s`);
  const size = await bytes(database, TABLES);
  console.log(`rollups by customId: ${(size / CLICKS).toFixed(0)} bytes a click`);

  const tenth = CLICKS / 10;
  await load(database, ingest, tenth, (n) => campaignClick(QUIET, n, tenth));
  await compact();
  await database.query(`VACUUM ANALYZE`);

  const snapshots = databaseOf(database);
  const clicks = new ClickStatisticsQuery();
  const users = new CustomerClicksQuery();
  const read = async (id: number, range: DayRange, customId: string | null) => {
    const startedAtMs = performance.now();
    const campaign = { organizationId: 1, id };
    const { figures, ranked } = await snapshots.snapshot(async (tx) => ({
      figures: await (customId === null
        ? clicks.run(tx, 'campaign', campaign, range)
        : clicks.runOfCustomer(tx, campaign, customId, range)),
      ranked: await users.run(tx, campaign, range, customId),
    }));
    if (figures.totalClicks === 0 || ranked.length === 0) throw new Error('Nothing was counted');
    return performance.now() - startedAtMs;
  };
  const year = lastDays(DAYS);
  const secondOfMonth = year.days.find((day) => day.endsWith('-02')) ?? '';
  const cases: [string, DayRange, string | null][] = [
    [`all ${DAYS} days`, year, null],
    ['from the second of a month', { ...year, startDate: secondOfMonth }, null],
    ['30 days', lastDays(30), null],
    ['days 3 to 201', { ...year, startDate: year.days[3] ?? '', endDate: year.days[201] ?? '' }, null],
    ['one customId, all days', year, 'customer-7'],
  ];
  for (const [name, range, customId] of cases) {
    const times = { busy: [] as number[], quiet: [] as number[] };
    for (let i = 0; i < READS + 10; i++) {
      // Interleaved, so that other load on the machine affects both; the first rounds warm up.
      const [busy, quiet] = [await read(BUSY, range, customId), await read(QUIET, range, customId)];
      if (i < 10) continue;
      times.busy.push(busy);
      times.quiet.push(quiet);
    }
    const [p50, p95] = [0.5, 0.95].map((part) => percentile(times.busy, part));
    const tenthP95 = percentile(times.quiet, 0.95);
    console.log(
      `campaign, ${CLICKS} clicks, ${USERS} customIds, ${name}: p50 ${p50?.toFixed(1)} ms, p95 ${p95?.toFixed(1)} ms; ` +
        `with a tenth of the clicks p95 ${tenthP95.toFixed(1)} ms (ratio ${((p95 ?? NaN) / tenthP95).toFixed(2)})`,
    );
  }
}
