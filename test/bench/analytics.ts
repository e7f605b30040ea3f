import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { ADD_ONS, PERMISSIONS } from '../../src/access/caller';
import { SystemClock } from '../../src/common/time/clock';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { EventDays } from '../../src/modules/analytics/event-days';
import { makeApiKey } from './support/api-key';
import { lastDays, percentile } from './support/click-load';
import { type JourneyVolume, loadJourneys } from './support/journey-load';
import { BENCH_KEYS, BenchProcess } from './support/processes';
import { benchPostgres, benchRedis, loadLinks } from './support/stores';

/*
 * What analytics cost over HTTP: every endpoint over 366 days, for an organization with a million goals and five million
 * events and for one with a tenth of them; and how long the batch takes that sums the event log.
 */
const FULL: JourneyVolume = {
  sessions: Number(process.env.BENCH_SESSIONS ?? 1_000_000),
  goals: Number(process.env.BENCH_GOALS ?? 1_000_000),
  events: Number(process.env.BENCH_EVENTS ?? 5_000_000),
};
const TENTH: JourneyVolume = {
  sessions: FULL.sessions / 10,
  goals: FULL.goals / 10,
  events: FULL.events / 10,
};
const READS = Number(process.env.BENCH_READS ?? 100);
const DAYS = 366;
const REDIS_PORT = 26_384;
const PORT = 23_022;
const GOAL_MS = 100;

const SERVICE = '/api/v1/service/analytics';
const CROSS_PLATFORM = '/api/v1/cross-platform/stats';

interface Customer {
  organizationId: number;
  appId: number;
  serviceHeaders: Record<string, string>;
}

async function makeCustomer(database: DataSource, volume: JourneyVolume): Promise<Customer> {
  const startedAt = performance.now();
  const organizationId = await loadLinks(database, 0);
  await database.query(`UPDATE organizations SET time_zone = 'Asia/Seoul' WHERE id = $1`, [organizationId]);
  const apiKey = await makeApiKey(database, organizationId, PERMISSIONS);
  await database.query(
    `INSERT INTO add_ons (organization_id, code, created_at) SELECT $1, unnest($2::text[]), now()`,
    [organizationId, ADD_ONS],
  );
  const [app] = await database.query<[{ id: number }]>(
    `INSERT INTO apps (organization_id, app_name, platform, bundle_id, path, created_at)
     VALUES ($1, 'Shop', 'iOS', 'com.example.shop', 'shop' || $1::bigint, now()) RETURNING id`,
    [organizationId],
  );
  await loadJourneys(database, organizationId, app.id, volume);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `loaded ${volume.sessions} sessions, ${volume.goals} goals, ${volume.events} events in ${seconds} s`,
  );
  return { organizationId, appId: app.id, serviceHeaders: { 'X-API-KEY': apiKey } };
}

async function answerOf(url: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers });
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** Every endpoint with the headers that it takes, over all days. */
async function endpointsOf(server: BenchProcess, customer: Customer) {
  const { appId, serviceHeaders } = customer;
  const { startDate, endDate } = lastDays(DAYS);
  const range = `startDate=${startDate}&endDate=${endDate}`;
  const compared = `compareStartDate=${startDate}&compareEndDate=${endDate}`;
  const app = await answerOf(`${server.url}/api/v1/service/mobile-apps/${appId}`, serviceHeaders);
  const appHeaders = { 'X-App-ID': String(appId), 'X-Mobile-App-API-Key': String(app.apiKey) };
  const service = [
    `revenue?appId=${appId}&${range}`,
    `revenue?appId=${appId}&${range}&${compared}`,
    `conversions?appId=${appId}&${range}`,
    `conversions?appId=${appId}&${range}&sessionType=url`,
    `conversions/top?${range}`,
    `conversions/top?${range}&resourceType=url&limit=50`,
    `conversions/goals?appId=${appId}&${range}`,
    `dau?days=${DAYS}`,
    `wau?weeks=53`,
    `events?${range}`,
    `events?appId=${appId}&${range}&topLimit=50`,
  ];
  const crossPlatform = [
    'summary',
    'daily',
    'sessions/summary',
    'sessions/by-platform',
    'sessions/by-utm-source',
    'transitions/summary',
    'transitions/trend',
    'dashboard',
  ];
  return [
    ...service.map((path) => ({
      name: path,
      url: `${server.url}${SERVICE}/${path}`,
      headers: serviceHeaders,
    })),
    ...crossPlatform.map((path) => ({
      name: `stats/${path}`,
      url: `${server.url}${CROSS_PLATFORM}/${path}?${range}`,
      headers: appHeaders,
    })),
  ];
}

async function main(): Promise<void> {
  const postgres = await benchPostgres();
  const redis = await benchRedis(REDIS_PORT);
  const url = await postgres.database('bench_analytics');
  const database = await connectDataSource(url, 4);
  const full = await makeCustomer(database, FULL);
  const tenth = await makeCustomer(database, TENTH);
  const batchAt = performance.now();
  await new EventDays(database, new SystemClock()).build();
  const batch = (performance.now() - batchAt) / 1000;
  console.log(`summed ${FULL.events + TENTH.events} events in ${batch.toFixed(1)} s`);
  await database.query('VACUUM ANALYZE');

  const server = await BenchProcess.start({
    script: join(__dirname, '../../src/main.js'),
    port: PORT,
    env: {
      DATABASE_URL: url,
      REDIS_URL: redis.url,
      ENCRYPTION_KEYS: BENCH_KEYS,
      LOG_LEVEL: 'silent',
      CONSOLE_TOKEN: 'bench-console-token-of-24',
    },
    readyPath: '/health/ready',
  });
  const small = await endpointsOf(server, tenth);
  for (const [i, endpoint] of (await endpointsOf(server, full)).entries()) {
    const times = { full: [] as number[], tenth: [] as number[] };
    for (let read = -5; read < READS; read++) {
      // Interleaved, so that what else the machine does falls on both; the first ones warm up.
      for (const [which, each] of [
        ['full', endpoint],
        ['tenth', small[i]],
      ] as const) {
        if (!each) continue;
        const startedAt = performance.now();
        await answerOf(each.url, each.headers);
        if (read >= 0) times[which].push(performance.now() - startedAt);
      }
    }
    const [p50, p95, tenthP95] = [
      percentile(times.full, 0.5),
      percentile(times.full, 0.95),
      percentile(times.tenth, 0.95),
    ];
    const name = endpoint.name.replaceAll(/\b(startDate|endDate)=[^&]*&?/g, '').replace(/[?&]$/, '');
    console.log(
      `${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (at most ${GOAL_MS}); ` +
        `with a tenth p95 ${tenthP95.toFixed(1)} ms, ratio ${(p95 / tenthP95).toFixed(2)}`,
    );
  }
  await server.stop();
  await database.destroy();
  await redis.stop();
  await postgres.stop();
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
