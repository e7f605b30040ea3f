import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pino from 'pino';
import type { DataSource } from 'typeorm';
import { readConfig } from '../../src/config/config';
import { CacheLookups } from '../../src/infrastructure/caching/cache-lookups';
import { Metrics } from '../../src/infrastructure/metrics/metrics';
import { ClickMetrics } from '../../src/modules/clicks/observation/click-metrics';
import { Countries } from '../../src/modules/clicks/visitor-facts';
import { RedirectLog } from '../../src/modules/redirect/observation/redirect-log';
import { RedirectObserver } from '../../src/modules/redirect/observation/redirect-observer';
import type { RequestHead } from '../../src/modules/redirect/redirect-request';
import type { TrackedLink } from '../../src/modules/redirect/tracked-link';
import { BenchProcess, cpuOfTree } from './support/processes';
import { type BenchStores, loadLinks, postmasterOf, runBench, until } from './support/stores';
import { runWrk } from './support/wrk';

/*
 * Measures what a counted click costs: CPU time of the web process, Redis, the worker and Postgres, bytes in Redis while
 * it waits, bytes in Postgres once it is counted, by table, and of WAL. Links are clicked once, so that each is looked up first,
 * and then a thousandth of them over and over. The web process is fully loaded, and everything else shares the other core.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
/** More than are visited in that time. */
const LINKS = 80_000 * SECONDS;
const BUSY_LINKS = LINKS / 1_000;
/** BENCH_CITUS=1 counts them on a coordinator of Citus with two workers; all are of one organization, so one has them. */
const ON_CITUS = process.env.BENCH_CITUS === '1';
const PORTS = { web: 23_011, worker: 23_012 };
/** Tables that grow by less are added up in one line. */
const LISTED_BYTES = 1;
const COUNTER_ROUNDS = 5;
const COUNTER_LOOPS = 3_000_000;
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

type Sizes = Map<string, number>;

/** CPU time in milliseconds, by part. */
type Cpu = Map<string, number>;

/** Bytes of each table with its indexes; partitions count as their table, and so do shards of Citus. */
async function sizes(nodes: readonly DataSource[]): Promise<Sizes> {
  const sum: Sizes = new Map();
  for (const node of nodes) {
    const rows = await node.query<{ name: string; bytes: number }[]>(
      `SELECT regexp_replace(coalesce(parent.relname, c.relname), '_[0-9]{6,}$', '') AS name,
              sum(pg_total_relation_size(c.oid))::bigint AS bytes
         FROM pg_class c
         LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
         LEFT JOIN pg_class parent ON parent.oid = i.inhparent
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        GROUP BY 1`,
    );
    for (const { name, bytes } of rows) sum.set(name, (sum.get(name) ?? 0) + bytes);
  }
  return sum;
}

/** Bytes of WAL that all nodes have written so far. */
async function wal(nodes: readonly DataSource[]): Promise<number> {
  let sum = 0;
  for (const node of nodes) {
    const [row] = await node.query<[{ bytes: number }]>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint AS bytes`,
    );
    sum += row.bytes;
  }
  return sum;
}

async function counted(database: DataSource): Promise<number> {
  const [row] = await database.query<[{ clicks: number }]>(
    `SELECT coalesce(sum(clicks + bot_clicks), 0)::bigint AS clicks FROM click_totals`,
  );
  return row.clicks;
}

class Installation {
  constructor(
    readonly web: BenchProcess,
    private readonly worker: BenchProcess,
    private readonly redis: number,
    private readonly postmasters: readonly number[],
    /** One, or the coordinator of Citus and its workers. */
    readonly nodes: readonly DataSource[],
  ) {}

  /** What is asked about all clicks. */
  get database(): DataSource {
    const [first] = this.nodes;
    if (!first) throw new Error('There is no Postgres');
    return first;
  }

  /** CPU time so far of each part; that of Postgres by what its processes are for. */
  async cpu(): Promise<Cpu> {
    const cpu = new Map([
      ['web', cpuOfTree(this.web.pid)],
      ['Redis', cpuOfTree(this.redis)],
      ['worker', cpuOfTree(this.worker.pid)],
    ]);
    const add = (part: string, pid: number) => cpu.set(part, (cpu.get(part) ?? 0) + cpuOfTree(pid));
    for (const [n, postmaster] of this.postmasters.entries()) {
      add('Postgres', postmaster);
      const server = n === 0 ? 'Postgres' : `Postgres, Citus node ${n}`;
      if (n > 0) add(server, postmaster);
      const backends = await this.nodes[n]?.query<{ pid: number; name: string }[]>(
        `SELECT pid, CASE backend_type WHEN 'client backend' THEN application_name ELSE backend_type END AS name
           FROM pg_stat_activity WHERE pid <> pg_backend_pid()`,
      );
      for (const { pid, name } of backends ?? []) add(`${server}: ${name.replace(/ gpid=.*/, '')}`, pid);
    }
    return cpu;
  }
}

/** Visits links from `l000000` on in turn, each time as another visitor. */
const visiting = (links: number) => `
local n = -1
function request()
  n = n + 1
  return wrk.format("GET", string.format("/l%06d", n % ${links}), {
    ["Host"] = "localhost",
    ["User-Agent"] = "${USER_AGENT}",
    ["X-Forwarded-For"] = string.format("198.%d.%d.%d", math.floor(n / 65536) % 256, math.floor(n / 256) % 256, n % 256),
  })
end`;

const visit = async (web: BenchProcess, links: number) => {
  const result = await runWrk({ url: web.url, seconds: SECONDS, connections: 64, script: visiting(links) });
  if (result.errors > 0) throw new Error(`${result.errors} requests failed`);
  return result.requests;
};

/** Waits until all clicks are counted. @returns how many, with requests that the end of a load cut off */
async function settled(database: DataSource, atLeast: number): Promise<number> {
  let last = -1;
  await until(
    async () => {
      const before = last;
      last = await counted(database);
      await delay(500);
      return last >= atLeast && last === before;
    },
    300,
    'Clicks were not all counted',
  );
  return last;
}

async function measure(name: string, links: number, installation: Installation): Promise<void> {
  const { database, nodes } = installation;
  const [cpuBefore, sizesBefore, walBefore] = [
    await installation.cpu(),
    await sizes(nodes),
    await wal(nodes),
  ];
  const before = await counted(database);
  const answered = await visit(installation.web, links);
  const clicks = (await settled(database, before + answered)) - before;
  const [cpuAfter, sizesAfter, walAfter] = [await installation.cpu(), await sizes(nodes), await wal(nodes)];

  console.log(`\n${name}: ${answered} answered, ${clicks} counted`);
  const micros = (part: string) => (((cpuAfter.get(part) ?? 0) - (cpuBefore.get(part) ?? 0)) * 1000) / clicks;
  const parts = ['web', 'Redis', 'worker', 'Postgres'];
  console.log(`| CPU a click | µs |\n| --- | --- |`);
  for (const part of parts) console.log(`| ${part} | ${micros(part).toFixed(1)} |`);
  console.log(`| all in | ${parts.reduce((sum, part) => sum + micros(part), 0).toFixed(1)} |`);
  for (const part of [...cpuAfter.keys()].filter(
    (each) => each.startsWith('Postgres') && each !== 'Postgres' && micros(each) >= 0.1,
  )) {
    console.log(`| ${part} | ${micros(part).toFixed(1)} |`);
  }

  const grown = [...sizesAfter]
    .map(([table, bytes]) => ({ table, bytes: (bytes - (sizesBefore.get(table) ?? 0)) / clicks }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const listed = grown.filter(({ table, bytes }) => table === 'clicks' || bytes >= LISTED_BYTES);
  const sum = (of: typeof grown) => of.reduce((total, { bytes }) => total + bytes, 0);
  console.log(`| table | bytes a click, with indexes |\n| --- | --- |`);
  for (const { table, bytes } of listed) console.log(`| ${table} | ${bytes.toFixed(1)} |`);
  console.log(`| others | ${(sum(grown) - sum(listed)).toFixed(1)} |`);
  console.log(`| all in | ${sum(grown).toFixed(0)} |`);
  console.log(`WAL: ${((walAfter - walBefore) / clicks).toFixed(0)} bytes a click`);
}

/** Prints the bytes of memory and of the append-only file that a click takes while it waits to be counted. */
async function waiting(redis: Redis, web: BenchProcess): Promise<number> {
  const bytes = async () => {
    const [, memory] = /used_memory_dataset:(\d+)/.exec(await redis.info('memory')) ?? [];
    const [, file] = /aof_current_size:(\d+)/.exec(await redis.info('persistence')) ?? [];
    return { memory: Number(memory), file: Number(file) };
  };
  const before = await bytes();
  const clicks = await visit(web, 1);
  const after = await bytes();
  console.log(
    `a click that waits in Redis: ${((after.memory - before.memory) / clicks).toFixed(0)} bytes of memory, ` +
      `${((after.file - before.file) / clicks).toFixed(0)} of its append-only file`,
  );
  return clicks;
}

/** Prints the average bytes of each column of a raw click, and of what Postgres adds. */
async function columns(database: DataSource): Promise<void> {
  const names = await database.query<{ name: string }[]>(
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = 'clicks'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  const averages = names.map(
    ({ name }) => `avg(pg_column_size(${name})) FILTER (WHERE ${name} IS NOT NULL) AS ${name}`,
  );
  const [row = {}] = await database.query<Record<string, string | null>[]>(
    `SELECT avg(pg_column_size(c)) AS "whole row", ${averages.join(', ')} FROM (SELECT * FROM clicks LIMIT 10000) c`,
  );
  const filled = Object.entries(row).filter(([, bytes]) => bytes !== null);
  console.log(
    `a raw click: ${filled.map(([name, bytes]) => `${name} ${Number(bytes).toFixed(0)}`).join(', ')} bytes`,
  );
}

async function postgres(stores: BenchStores): Promise<{ url: string; nodes: [DataSource, ...DataSource[]] }> {
  if (ON_CITUS) return stores.citus('bench_cost');
  const { url, database } = await stores.database('bench_cost');
  return { url, nodes: [database] };
}

/** Prints the CPU time, in a loop, of the counters of a redirect, with the two readings of the clock that they need. */
function counters(): void {
  const config = readConfig({});
  const observer = new RedirectObserver(
    new Metrics(),
    new RedirectLog(new Countries(config), pino({ enabled: false }), config),
  );
  const clicks = new ClickMetrics();
  const lookups = new CacheLookups().of('links');
  const request: RequestHead = { url: '/l000000', headers: {}, socket: { remoteAddress: '127.0.0.1' } };
  const link = { kind: 'link' } as TrackedLink;
  const micros = Array.from({ length: COUNTER_ROUNDS }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < COUNTER_LOOPS; i++) {
      const startedAt = performance.now();
      lookups.hits++;
      clicks.stored('redis', 1);
      observer.redirected(request, 'localhost', link, startedAt, performance.now());
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / COUNTER_LOOPS;
  });
  console.log(`metrics of a redirect, in a loop: ${micros.map((each) => each.toFixed(2)).join(', ')} µs`);
}

async function main(stores: BenchStores): Promise<void> {
  counters();
  const redisUrl = await stores.redis();
  const { url, nodes } = await postgres(stores);
  const [database] = nodes;
  await loadLinks(database, LINKS);
  const redis = new Redis(redisUrl);
  const start = (port: number, role: string) =>
    BenchProcess.waypost(
      port,
      { databaseUrl: url, redisUrl },
      { ROLE: role, LOG_LEVEL: 'warn', TRUST_PROXY: 'loopback', LINK_HEALTH: 'false', OG_FETCH: 'false' },
    );
  const web = await start(PORTS.web, 'web');
  const waited = await waiting(redis, web);
  const worker = await start(PORTS.worker, 'worker');
  const [, redisPid] = /process_id:(\d+)/.exec(await redis.info('server')) ?? [];
  const installation = new Installation(
    web,
    worker,
    Number(redisPid),
    await Promise.all(nodes.map(postmasterOf)),
    nodes,
  );
  await settled(database, waited);

  await measure('links that are clicked once', LINKS, installation);
  await columns(database);
  await measure(`${BUSY_LINKS} links, in the cache`, BUSY_LINKS, installation);

  redis.disconnect();
  for (const server of [web, worker]) await server.stop();
}

runBench(main);
