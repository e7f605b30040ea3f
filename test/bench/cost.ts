import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { BenchProcess, cpuOfTree } from './support/processes';
import { type BenchStores, countedClicks, loadLinks, postmasterOf, runBench, until } from './support/stores';
import { runWrk, visiting } from './support/wrk';

/*
 * Measures what a counted click costs: CPU time of the web process, Redis, the worker and Postgres, bytes in Redis while
 * it waits, bytes in Postgres once it is counted, by table, and of WAL, in one table. Links are clicked once, so that each
 * is looked up first, and then a thousandth of them over and over. The web process is fully loaded, and everything else shares the other core.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
/** More than are visited in that time, twice. */
const LINKS = 80_000 * SECONDS;
const BUSY_LINKS = LINKS / 1_000;

/** Links that are visited in turn. */
interface Kind {
  name: string;
  links: number;
  /** Number of the first one whose clicks wait. */
  from: number;
}

const ONCE: Kind = { name: 'links that are clicked once', links: LINKS / 2, from: LINKS / 2 };
const BUSY: Kind = { name: `${BUSY_LINKS} links, in the cache`, links: BUSY_LINKS, from: 0 };

/** BENCH_CITUS=1 counts them on a coordinator of Citus with two workers; all are of one organization, so one has them. */
const ON_CITUS = process.env.BENCH_CITUS === '1';
const PORTS = { web: 23_011, worker: 23_012 };
/** Tables that grow by less are added up in one line. */
const LISTED_BYTES = 1;
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

const visit = async (web: BenchProcess, links: number, from = 0) => {
  const script = visiting(links, from);
  const result = await runWrk({ url: web.url, seconds: SECONDS, connections: 64, script });
  if (result.errors > 0) throw new Error(`${result.errors} requests failed`);
  return result.requests;
};

/** Waits until all clicks are counted. @returns how many, with requests that the end of a load cut off */
async function settled(database: DataSource, atLeast: number): Promise<number> {
  let last = -1;
  await until(
    async () => {
      const before = last;
      last = await countedClicks(database);
      await delay(500);
      return last >= atLeast && last === before;
    },
    300,
    'Clicks were not all counted',
  );
  return last;
}

/** What a click costs with one kind of load: a figure for each row of the table. */
interface Costs {
  readonly name: string;
  readonly clicks: number;
  readonly rows: ReadonlyMap<string, number>;
}

const PARTS = ['web', 'Redis', 'worker', 'Postgres'];

async function measure(kind: Kind, waits: Waiting, installation: Installation): Promise<Costs> {
  const { database, nodes } = installation;
  const [cpuBefore, sizesBefore, walBefore] = [
    await installation.cpu(),
    await sizes(nodes),
    await wal(nodes),
  ];
  const before = await countedClicks(database);
  const answered = await visit(installation.web, kind.links);
  const clicks = (await settled(database, before + answered)) - before;
  const [cpuAfter, sizesAfter, walAfter] = [await installation.cpu(), await sizes(nodes), await wal(nodes)];
  console.log(`${kind.name}: ${answered} answered, ${clicks} counted`);

  const rows = new Map<string, number>();
  const micros = (part: string) => (((cpuAfter.get(part) ?? 0) - (cpuBefore.get(part) ?? 0)) * 1000) / clicks;
  for (const part of PARTS) rows.set(`CPU, µs: ${part}`, micros(part));
  rows.set(
    'CPU, µs: all in',
    PARTS.reduce((sum, part) => sum + micros(part), 0),
  );
  for (const part of cpuAfter.keys()) {
    const ofPostgres = part.startsWith('Postgres') && part !== 'Postgres';
    if (ofPostgres && micros(part) >= 0.1) rows.set(`of that, µs: ${part}`, micros(part));
  }
  rows.set('bytes in Redis while it waits', waits.memory);
  rows.set('bytes of the append-only file', waits.file);
  const grown = [...sizesAfter]
    .map(([table, bytes]) => ({ table, bytes: (bytes - (sizesBefore.get(table) ?? 0)) / clicks }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const listed = grown.filter(({ table, bytes }) => table === 'clicks' || bytes >= LISTED_BYTES);
  const sum = (of: typeof grown) => of.reduce((total, { bytes }) => total + bytes, 0);
  for (const { table, bytes } of listed) rows.set(`bytes, with indexes: ${table}`, bytes);
  rows.set('bytes, with indexes: others', sum(grown) - sum(listed));
  rows.set('bytes, with indexes: all in', sum(grown));
  rows.set('bytes of WAL', (walAfter - walBefore) / clicks);
  return { name: kind.name, clicks, rows };
}

function print(costs: readonly Costs[]): void {
  console.log(
    `\n| a click | ${costs.map(({ name }) => name).join(' | ')} |\n| --- |${' --- |'.repeat(costs.length)}`,
  );
  for (const row of new Set(costs.flatMap(({ rows }) => [...rows.keys()]))) {
    console.log(`| ${row} | ${costs.map(({ rows }) => rows.get(row)?.toFixed(1) ?? '').join(' | ')} |`);
  }
  console.log();
}

/** Bytes that a click takes in Redis while it waits to be counted. */
interface Waiting {
  clicks: number;
  memory: number;
  /** Of the append-only file. */
  file: number;
}

async function waiting(redis: Redis, web: BenchProcess, { links, from }: Kind): Promise<Waiting> {
  const bytes = async () => {
    const [, memory] = /used_memory_dataset:(\d+)/.exec(await redis.info('memory')) ?? [];
    const [, file] = /aof_current_size:(\d+)/.exec(await redis.info('persistence')) ?? [];
    return { memory: Number(memory), file: Number(file) };
  };
  const before = await bytes();
  const clicks = await visit(web, links, from);
  const after = await bytes();
  return {
    clicks,
    memory: (after.memory - before.memory) / clicks,
    file: (after.file - before.file) / clicks,
  };
}

async function postgres(stores: BenchStores): Promise<{ url: string; nodes: [DataSource, ...DataSource[]] }> {
  if (ON_CITUS) return stores.citus('bench_cost');
  const { url, database } = await stores.database('bench_cost');
  return { url, nodes: [database] };
}

async function main(stores: BenchStores): Promise<void> {
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
  // Links whose clicks wait are others than those that are measured later.
  const waits = [await waiting(redis, web, ONCE), await waiting(redis, web, BUSY)] as const;
  const worker = await start(PORTS.worker, 'worker');
  const [, redisPid] = /process_id:(\d+)/.exec(await redis.info('server')) ?? [];
  const installation = new Installation(
    web,
    worker,
    Number(redisPid),
    await Promise.all(nodes.map(postmasterOf)),
    nodes,
  );
  await settled(database, waits[0].clicks + waits[1].clicks);

  print([await measure(ONCE, waits[0], installation), await measure(BUSY, waits[1], installation)]);

  redis.disconnect();
  for (const server of [web, worker]) await server.stop();
}

runBench(main);
