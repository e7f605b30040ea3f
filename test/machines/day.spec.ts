import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../src/infrastructure/embedded-postgres/embedded-postgres';
import { expectCounted, sql } from '../faults/accounts';
import { Customer } from '../faults/customer';
import type { Service } from '../faults/service';
import { Stage } from '../faults/stage';
import { migrateDatabase } from '../support/migrate-database';
import { freePort, RedisServer, temporaryFolder } from '../support/servers';
import { WebhookReceiver } from '../support/webhook-receiver';
import { FastClock } from './fast-clock';
import { Mixture } from './mixture';
import { EVENTS, Registrations } from './registrations';

/** TRIAL_SECONDS runs a day, in TRIAL_DAY_SECONDS. */
const LONG = process.env.TRIAL_SECONDS !== undefined;
const SAMPLES = LONG ? 24 : 3;
/** Minutes of the clock between samples. */
const EVERY_MINUTES = LONG ? 60 : 1;
const PACE = LONG ? 86_400 / Number(process.env.TRIAL_DAY_SECONDS ?? 7_200) : 12;
/** After these samples code is compiled, and caches and pools are full. */
const WARM_UP = 4;
const LINKS = 50;
const POOL = 10;
/** Connections of a process beyond its pool: docs/scaling.md#connections. */
const FURTHER = 9;
/** Scheduled jobs of the worker, which may all run at once. */
const JOBS = 30;

/** Row limits of tables whose rows live for minutes. */
const FLAT: Record<string, number> = {
  click_journal: 100,
  live_batches: 1_000,
  live_feeds: 1,
  scheduled_jobs: 60,
  og_fetches: 100,
  login_failures: 5,
};
/** Size limit of each of them, with indexes and dead rows. */
const FLAT_BYTES = 16 * 2 ** 20;
/** Tables that grow with what is sent. */
const GROWING = [
  'clicks',
  'session_events',
  'deep_link_tokens',
  'outbox_events',
  'webhook_deliveries',
  'console_sessions',
];

interface Table {
  name: string;
  live: number;
  bytes: number;
}

interface Sample {
  hour: number;
  memory: Record<string, number>;
  connections: Record<string, number>;
  redis: { keys: number; bytes: number; stream: number };
  tables: Map<string, Table>;
}

describe('a day of mixed load', () => {
  const stage = new Stage();
  jest.setTimeout(LONG ? 3 * 3_600_000 : 180_000);
  afterEach(() => stage.clear());

  it('leaves memory, connections and tables as they were, and counts every click once', async () => {
    const clock = new FastClock(PACE);
    const postgres = await startEmbeddedPostgres({
      dataDir: temporaryFolder('day-postgres'),
      settings: { fsync: 'off', max_connections: '200' },
    });
    stage.ending(() => postgres.stop());
    await migrateDatabase(postgres.url);
    const redis = await RedisServer.start();
    stage.ending(() => redis.end());
    const receiver = await WebhookReceiver.start();
    stage.ending(() => receiver.close());

    const start = async (role: string) =>
      stage.service({
        DATABASE_URL: postgres.url,
        DATABASE_POOL: String(POOL),
        REDIS_URL: redis.url,
        ROLE: role,
        OPERATIONS_PORT: String(await freePort()),
        OUTBOUND_ALLOW_PRIVATE: 'true',
        ...clock.env,
      });
    const services = { web: await start('web'), worker: await start('worker') };
    const { url, port } = services.web;
    const customer = await Customer.create(url);
    await customer.addWebhook(url, receiver.url, EVENTS);
    const links = await customer.createLinks(url, LINKS);
    const load = stage.load({ ports: [port], links, connections: 2, pauseMs: 100, keepAlive: false });
    const mixture = await Mixture.start(customer, url, 500);
    stage.ending(() => mixture.stop());
    const registrations = new Registrations(customer, url, receiver);
    stage.ending(() => registrations.stop());

    const samples: Sample[] = [];
    const startedAt = performance.now();
    for (let n = 1; n <= SAMPLES; n++) {
      await delay(startedAt + clock.lasting(n * EVERY_MINUTES * 60) - performance.now());
      const hour = (n * EVERY_MINUTES) / 60;
      samples.push(await sample(hour, services, postgres.url, redis.url, stage));
      // Not by the console, which jest prints at the end.
      if (LONG) process.stderr.write(`${table(samples.slice(-1))}\n`);
    }
    await Promise.all([load.stop(), mixture.stop(), registrations.stop()]);
    console.log(
      [
        table(samples),
        `${PACE} times as fast; ${load.answered} clicks, ${registrations.counts.join(' and ')} opt-outs and contacts, ${JSON.stringify(mixture.answered)}`,
        ...Object.values(services).map(({ output }) => output.slice(-2_000)),
      ].join('\n'),
    );
    expect(load.failures).toEqual([]);
    expect(mixture.failures).toEqual([]);
    await expectCounted(load, { databaseUrl: postgres.url, redisUrl: redis.url });
    expect(Math.min(...registrations.counts)).toBeGreaterThan(0);
    await registrations.expectComplete();
    expect(samples.flatMap(problemsOf)).toEqual([]);
    if (LONG) expect(grown(samples)).toEqual([]);
  });
});

function problemsOf({ hour, connections, tables, redis }: Sample): string[] {
  const open = Object.values(connections).reduce((sum, count) => sum + count, 0);
  const allowed = 2 * (POOL + FURTHER) + JOBS;
  return [
    ...(open > allowed ? [`hour ${hour}: ${open} connections`] : []),
    ...(redis.stream > 1_000 ? [`hour ${hour}: ${redis.stream} entries wait in the click stream`] : []),
    ...Object.entries(FLAT)
      .filter(([name, limit]) => (tables.get(name)?.live ?? 0) > limit)
      .map(([name]) => `hour ${hour}: ${name} has ${tables.get(name)?.live} rows`),
    ...Object.keys(FLAT)
      .filter((name) => (tables.get(name)?.bytes ?? 0) > FLAT_BYTES)
      .map((name) => `hour ${hour}: ${name} has ${tables.get(name)?.bytes} bytes`),
  ];
}

/** Processes whose memory grew by more than a fifth after the warm-up. */
function grown(samples: readonly Sample[]): string[] {
  const [warm, end] = [samples[WARM_UP - 1], samples.at(-1)];
  return Object.entries(end?.memory ?? {})
    .filter(([name, bytes]) => bytes > 1.2 * (warm?.memory[name] ?? 0))
    .map(([name, bytes]) => `${name}: ${warm?.memory[name]} MiB, then ${bytes} MiB`);
}

async function sample(
  hour: number,
  services: Record<string, Service>,
  databaseUrl: string,
  redisUrl: string,
  stage: Stage,
): Promise<Sample> {
  const pools = await sql<{ pool: string; count: number }>(databaseUrl, POOLS);
  const tables = await sql<Table>(databaseUrl, TABLES);
  const client = await stage.client(redisUrl);
  const streams = await client.keys('*:{clicks:*}:stream');
  const lengths = await Promise.all(streams.map((stream) => client.xlen(stream)));
  const info = await client.info('memory');
  const redis = {
    keys: await client.dbsize(),
    bytes: Number(/used_memory:(\d+)/.exec(info)?.[1]),
    stream: lengths.reduce((sum, length) => sum + length, 0),
  };
  client.disconnect();
  return {
    hour,
    memory: Object.fromEntries(Object.entries(services).map(([name, { pid }]) => [name, residentMiB(pid)])),
    connections: Object.fromEntries(pools.map(({ pool, count }) => [pool, count])),
    redis,
    tables: new Map(tables.map((each) => [each.name, each])),
  };
}

function residentMiB(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1_024);
}

const POOLS = `
  SELECT application_name AS pool, count(*)::int AS count FROM pg_stat_activity
   WHERE application_name LIKE 'waypost%' GROUP BY application_name`;
/** Partitions count as their table. */
const TABLES = `
  SELECT name, sum(live)::int AS live, sum(bytes)::float8 AS bytes
    FROM (SELECT regexp_replace(relname, '_[0-9_]+$', '') AS name, n_live_tup AS live, pg_total_relation_size(relid) AS bytes
            FROM pg_stat_user_tables) AS each
   GROUP BY name`;

function table(samples: readonly Sample[]): string {
  const names = [...GROWING, ...Object.keys(FLAT)];
  const head = ['hour', 'web MiB', 'worker MiB', 'connections', 'Redis keys', 'Redis MiB', ...names];
  const rows = samples.map(({ hour, memory, connections, redis, tables }) => [
    hour.toFixed(2),
    memory.web,
    memory.worker,
    Object.values(connections).reduce((sum, count) => sum + count, 0),
    redis.keys,
    (redis.bytes / 2 ** 20).toFixed(1),
    ...names.map((name) => tables.get(name)?.live ?? 0),
  ]);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
