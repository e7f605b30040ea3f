import type { DayRange } from '../../src/common/date-range';
import type { Database } from '../../src/infrastructure/database/database';
import { CLICK_MONTHS } from '../../src/modules/click-statistics/rollups/click-months';
import { ClickStatisticsQuery } from '../../src/modules/click-statistics/click-statistics.query';
import { benchCampaigns } from './campaign-stats';
import { bytes, DAY_MS, lastDays, load, makeClick, makeIngest } from './support/click-load';
import { percentile } from './support/wrk';
import { benchValues } from './click-values';
import { type BenchStores, runBench } from './support/stores';
import { databaseOf } from '../support/database-of';

/*
 * Measures statistics: a link with many clicks over 366 days against one with a hundredth of them, and the bytes of
 * rollups per click, for one busy link and for a million links with one click each.
 */
const BUSY_CLICKS = Number(process.env.BENCH_CLICKS ?? 10_000_000);
const SPARSE_LINKS = Number(process.env.BENCH_SPARSE ?? 1_000_000);
const READS = 1_000;
const WARM_UP = 200;
const DAYS = 366;
const BUSY = 1;
const QUIET = 2;
const FIRST_SPARSE = 1_000;

const ROLLUPS = 'click_rollups, click_totals, click_months';

async function timed(database: Database, link: number, range: DayRange): Promise<number> {
  const startedAt = performance.now();
  await database.snapshot((tx) =>
    new ClickStatisticsQuery().run(tx, 'link', { organizationId: 1, id: link }, range),
  );
  return performance.now() - startedAt;
}

async function benchLinks(stores: BenchStores): Promise<void> {
  const { database } = await stores.database('bench_stats', 4);
  await database.query(`SET statement_timeout = 0`);
  const { ingest, months } = await makeIngest(database);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const spread = (n: number, of: number) =>
    today - (DAYS - 1) * DAY_MS + Math.floor((n / of) * DAYS) * DAY_MS;
  const sometime = () => Math.floor(Math.random() * DAY_MS);

  const startedAt = performance.now();
  await load(database, ingest, BUSY_CLICKS, (n) => makeClick(BUSY, spread(n, BUSY_CLICKS) + sometime()));
  const rate = BUSY_CLICKS / ((performance.now() - startedAt) / 1000);
  console.log(
    `loaded ${BUSY_CLICKS} clicks of one link through the rollup code at ${Math.round(rate)} clicks/s`,
  );
  await months.compact([CLICK_MONTHS], new Map([[1, DAYS]]));
  const busyBytes = await bytes(database, ROLLUPS);

  const quiet = Math.round(BUSY_CLICKS / 100);
  await load(database, ingest, quiet, (n) => makeClick(QUIET, spread(n, quiet) + sometime()));
  await months.compact([CLICK_MONTHS], new Map([[1, DAYS]]));
  const beforeSparse = await bytes(database, ROLLUPS);
  await load(database, ingest, SPARSE_LINKS, (n) =>
    makeClick(FIRST_SPARSE + n, today - Math.floor(Math.random() * DAYS) * DAY_MS + sometime()),
  );
  const sparseBytes = (await bytes(database, ROLLUPS)) - beforeSparse;
  const [raw] = await database.query<[{ bytes: number; clicks: number }]>(
    `SELECT sum(pg_total_relation_size(inhrelid))::bigint AS bytes, (SELECT count(*) FROM clicks) AS clicks
       FROM pg_inherits WHERE inhparent = 'clicks'::regclass`,
  );
  const rawRow = raw.bytes / raw.clicks;
  console.log(`raw click: ${rawRow.toFixed(0)} bytes, index included`);
  console.log(`rollups, one busy link: ${(busyBytes / BUSY_CLICKS).toFixed(2)} bytes a click`);
  console.log(
    `rollups, ${SPARSE_LINKS} links clicked once: ${(sparseBytes / SPARSE_LINKS).toFixed(0)} bytes a click, ` +
      `${(sparseBytes / SPARSE_LINKS / rawRow).toFixed(2)} times the raw click`,
  );

  await database.query(`ANALYZE`);
  const snapshots = databaseOf(database);
  const range = lastDays(DAYS);
  for (let i = 0; i < WARM_UP; i++) await timed(snapshots, BUSY, range);
  // Interleaved, so that other load on the machine affects both.
  const busy: number[] = [];
  const small: number[] = [];
  for (let i = 0; i < READS; i++) {
    busy.push(await timed(snapshots, BUSY, range));
    small.push(await timed(snapshots, QUIET, range));
  }
  console.log(
    `${BUSY_CLICKS} clicks over ${DAYS} days: p50 ${percentile(busy, 0.5).toFixed(1)} ms, p95 ${percentile(busy, 0.95).toFixed(1)} ms`,
  );
  console.log(
    `${quiet} clicks over ${DAYS} days: p50 ${percentile(small, 0.5).toFixed(1)} ms, p95 ${percentile(small, 0.95).toFixed(1)} ms`,
  );
  console.log(
    `ratio p50 ${(percentile(busy, 0.5) / percentile(small, 0.5)).toFixed(2)}, ` +
      `p95 ${(percentile(busy, 0.95) / percentile(small, 0.95)).toFixed(2)}`,
  );
}

/** `npm run bench:stats -- campaigns` (or `links`, `values`) runs one part. */
async function main(stores: BenchStores): Promise<void> {
  const [, , part] = process.argv;
  if (part === undefined || part === 'links') await benchLinks(stores);
  if (part === undefined || part === 'campaigns') await benchCampaigns(stores);
  if (part === undefined || part === 'values') await benchValues(stores);
}

runBench(main);
