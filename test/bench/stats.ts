import type { DataSource } from 'typeorm';
import { SystemClock } from '../../src/common/time/clock';
import type { DayRange } from '../../src/common/time/date-range';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import type { Click } from '../../src/modules/clicks/click';
import { ClickClaims } from '../../src/modules/clicks/click-claims';
import { ClickIngest } from '../../src/modules/clicks/click-ingest';
import { ClickMonths } from '../../src/modules/clicks/click-months';
import { ClickPartitions } from '../../src/modules/clicks/click-partitions';
import { ClickTerms } from '../../src/modules/clicks/click-terms';
import { Countries } from '../../src/modules/clicks/countries';
import { ClickEnricher } from '../../src/modules/clicks/enriched-click';
import { Visitors } from '../../src/modules/clicks/visitors';
import { AppPageClicks } from '../../src/modules/deep-links/app-page-clicks';
import { FunnelRollups } from '../../src/modules/deep-links/funnel-rollups';
import { FunnelSessions } from '../../src/modules/deep-links/funnel-sessions';
import { ClickStatisticsQuery } from '../../src/modules/statistics/click-statistics.query';
import { readConfig } from '../../src/config/config';
import { benchPostgres } from './support/stores';

/*
 * What statistics cost: one link with many clicks over 366 days against one with a hundredth of them, and how many
 * bytes of rollups a click takes, for one busy link and for a million that are clicked once.
 */
const BUSY_CLICKS = Number(process.env.BENCH_CLICKS ?? 10_000_000);
const SPARSE_LINKS = Number(process.env.BENCH_SPARSE ?? 1_000_000);
const READS = 200;
const BATCH = 20_000;
const DAYS = 366;
const DAY_MS = 86_400_000;
const BUSY = 1;
const QUIET = 2;
const FIRST_SPARSE = 1_000;

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 14; SM-S928B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
];
const REFERRERS = 200;

/** A number below `n`; small ones come up far more often, as referrers and browsers do. */
function skewed(n: number): number {
  return Math.floor(n * Math.random() ** 3);
}

let nextId = 1_000_000_000;

function makeClick(targetId: number, at: number): Click {
  const referrer = skewed(REFERRERS);
  return {
    id: nextId++,
    at,
    kind: 'link',
    targetId,
    organizationId: 1,
    appIds: [],
    ip: `${1 + skewed(223)}.${skewed(250)}.${skewed(10)}.7`,
    userAgent: AGENTS[skewed(AGENTS.length)] ?? '',
    referrer: referrer === 0 ? null : `https://site-${referrer}.example/page`,
    tracker: null,
    customId: null,
    utm: null,
    claim: null,
    appPage: null,
  };
}

async function makeIngest(database: DataSource): Promise<{ ingest: ClickIngest; months: ClickMonths }> {
  const countries = new Countries(readConfig({}));
  await countries.onModuleInit();
  const months = new ClickMonths(database, new SystemClock());
  const visitors = new Visitors(database);
  const enricher = new ClickEnricher(new ClickTerms(database), countries, visitors);
  const effect = new AppPageClicks(visitors, new FunnelSessions(), new FunnelRollups());
  await effect.onModuleInit();
  const ingest = new ClickIngest(enricher, new ClickPartitions(database), new ClickClaims(), months, effect);
  return { ingest, months };
}

async function load(database: DataSource, ingest: ClickIngest, clicks: number, next: (n: number) => Click) {
  for (let start = 0; start < clicks; start += BATCH) {
    const size = Math.min(BATCH, clicks - start);
    const prepared = await ingest.prepare(Array.from({ length: size }, (_, i) => next(start + i)));
    await database.transaction((manager) => ingest.ingest(manager, prepared));
  }
}

async function bytes(database: DataSource, tables: string): Promise<number> {
  await database.query(`VACUUM FULL ${tables}`);
  const [row] = await database.query<[{ bytes: number }]>(
    `SELECT sum(pg_total_relation_size(name::regclass))::bigint AS bytes FROM unnest(string_to_array($1, ', ')) AS name`,
    [tables],
  );
  return row.bytes;
}

const ROLLUPS = 'click_rollups, click_totals, click_month_rollups';

async function p95(query: ClickStatisticsQuery, link: number, range: DayRange): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < READS; i++) {
    const startedAt = performance.now();
    await query.run('link', link, range);
    times.push(performance.now() - startedAt);
  }
  return times;
}

function percentile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? NaN;
}

async function main(): Promise<void> {
  const postgres = await benchPostgres();
  const database = await connectDataSource(await postgres.database('bench_stats'), 4);
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
  await months.build();
  const busyBytes = await bytes(database, ROLLUPS);

  const quiet = Math.round(BUSY_CLICKS / 100);
  await load(database, ingest, quiet, (n) => makeClick(QUIET, spread(n, quiet) + sometime()));
  await database.query(`TRUNCATE click_months_built, click_month_rollups`);
  await months.build();
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
  const query = new ClickStatisticsQuery(database);
  const date = (time: number) => new Date(time).toISOString().slice(0, 10);
  const days = Array.from({ length: DAYS }, (_, i) => date(today - (DAYS - 1 - i) * DAY_MS));
  const first = today - (DAYS - 1) * DAY_MS;
  const range = {
    startDate: date(first),
    endDate: date(today),
    days,
    from: new Date(first),
    to: new Date(today + DAY_MS),
  };
  await p95(query, BUSY, range);
  // Interleaved, so that what else the machine does falls on both.
  const rounds = [];
  for (let round = 0; round < 5; round++) {
    rounds.push({ busy: await p95(query, BUSY, range), quiet: await p95(query, QUIET, range) });
  }
  const busy = rounds.flatMap((round) => round.busy);
  const small = rounds.flatMap((round) => round.quiet);
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
  await database.destroy();
  await postgres.stop();
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
