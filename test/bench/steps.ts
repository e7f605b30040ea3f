import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { PgBouncer } from '../support/pgbouncer';
import { TestCluster } from '../support/redis-cluster';
import { makeApiKey } from './support/api-key';
import { BenchProcess, cpuOfTree, moveToCore, OTHER_CORE, SERVER_CORE } from './support/processes';
import { type BenchStores, loadLinks, postmasterOf, runBench, until } from './support/stores';
import { median, runWrk, visiting } from './support/wrk';

/*
 * Measures what steps of docs/scaling.md bring or cost on two cores: roles, PgBouncer and a Redis Cluster. Each
 * installation has the same load in turn, and is compared with the first, a web process and a worker with Postgres and
 * one Redis. Then it counts connections to Postgres without and with PgBouncer.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const LINKS = 800;
const FIRST_PORT = 23_041;
const MASTERS = 3;
/** Settings of docs/operations.md#cluster, other than those that every Redis here has. */
const CLUSTER_SETTINGS = {
  'cluster-node-timeout': '2000',
  'cluster-replica-validity-factor': '0',
  'min-replicas-to-write': '1',
  'min-replicas-max-lag': '2',
};
const PARTS = ['service', 'Redis', 'replicas', 'PgBouncer', 'Postgres'] as const;
type Part = (typeof PARTS)[number];

interface Round {
  requestsPerSecond: number;
  p99: number;
  clicks: number;
  /** Seconds from the end of the load until all clicks were counted. */
  behind: number;
  /** Milliseconds. */
  cpu: Map<string, number>;
}

interface Stores {
  databaseUrl: string;
  database: DataSource;
  redisUrl: string;
  settings?: Record<string, string>;
  /** Processes, by part. */
  pids: [Part, number][];
}

const pidOfRedis = async (port: number) => {
  const redis = new Redis(port, '127.0.0.1');
  const [, pid] = /process_id:(\d+)/.exec(await redis.info('server')) ?? [];
  redis.disconnect();
  return Number(pid);
};

let ports = FIRST_PORT;

const launch = ({ databaseUrl, redisUrl, settings }: Stores, ROLE: string, core: number) =>
  BenchProcess.waypost(
    ports++,
    { databaseUrl, redisUrl },
    {
      ROLE,
      LOG_LEVEL: 'warn',
      TRUST_PROXY: 'loopback',
      LINK_HEALTH: 'false',
      OG_FETCH: 'false',
      ...settings,
    },
    { core },
  );

class Installation {
  readonly rounds: Round[] = [];

  private constructor(
    readonly name: string,
    private readonly processes: readonly BenchProcess[],
    private readonly stores: Stores,
  ) {}

  static async start(name: string, roles: readonly string[], stores: Stores): Promise<Installation> {
    await loadLinks(stores.database, LINKS);
    const processes = [];
    for (const role of roles) {
      processes.push(await launch(stores, role, role === 'worker' ? OTHER_CORE : SERVER_CORE));
    }
    return new Installation(name, processes, stores);
  }

  async round(): Promise<void> {
    const [web] = this.processes;
    if (!web) throw new Error('There is no process');
    const before = { counted: await this.counted(), cpu: this.cpu() };
    const script = visiting(LINKS);
    const load = await runWrk({ url: web.url, seconds: SECONDS, connections: 64, script });
    if (load.errors > 0) throw new Error(`${load.errors} requests failed`);
    const endedAt = performance.now();
    await until(
      async () => (await this.counted()) - before.counted >= load.requests,
      300,
      'Clicks were not all counted',
    );
    const behind = (performance.now() - endedAt) / 1000;
    // Requests that the end of the load cut off are counted too.
    await delay(1_000);
    const after = this.cpu();
    const cpu = new Map([...after].map(([part, time]) => [part, time - (before.cpu.get(part) ?? 0)]));
    const clicks = (await this.counted()) - before.counted;
    const { requestsPerSecond, p99 } = load;
    this.rounds.push({ requestsPerSecond, p99, clicks, behind, cpu });
  }

  async stop(): Promise<void> {
    for (const each of this.processes) await each.stop();
  }

  private cpu(): Map<string, number> {
    const cpu = new Map<string, number>();
    const pids = [...this.processes.map(({ pid }) => ['service', pid] as const), ...this.stores.pids];
    for (const [part, pid] of pids) cpu.set(part, (cpu.get(part) ?? 0) + cpuOfTree(pid));
    return cpu;
  }

  private async counted(): Promise<number> {
    const [row] = await this.stores.database.query<[{ clicks: number }]>(
      `SELECT coalesce(sum(clicks + bot_clicks), 0)::bigint AS clicks FROM click_totals`,
    );
    return row.clicks;
  }
}

const micros = ({ cpu, clicks }: Round, part: Part) => ((cpu.get(part) ?? 0) * 1000) / clicks;
const allIn = (round: Round) => PARTS.reduce((sum, part) => sum + micros(round, part), 0);

function print(installations: readonly Installation[]): void {
  const [first] = installations;
  console.log(
    `| | redirects/s | p99, ms | behind, s | ${PARTS.join(' | ')} | all in, µs CPU a click | times the first, CPU | redirects/s |`,
  );
  console.log(`| --- |${' --- |'.repeat(PARTS.length + 6)}`);
  for (const { name, rounds } of installations) {
    const middle = (of: (round: Round) => number) => median(rounds.slice(1).map(of));
    const ratio = (of: (round: Round) => number) =>
      median(rounds.slice(1).map((round, i) => of(round) / of(first?.rounds[i + 1] ?? round)));
    const cells = [
      middle(({ requestsPerSecond }) => requestsPerSecond).toFixed(0),
      middle(({ p99 }) => p99).toFixed(1),
      middle(({ behind }) => behind).toFixed(1),
      ...PARTS.map((part) => middle((round) => micros(round, part)).toFixed(1)),
      middle(allIn).toFixed(1),
      ratio(allIn).toFixed(2),
      ratio(({ requestsPerSecond }) => requestsPerSecond).toFixed(2),
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

/** Appends to the click stream that each master took. */
async function appends(masters: readonly number[]): Promise<string> {
  const taken = await Promise.all(
    masters.map(async (port) => {
      const redis = new Redis(port, '127.0.0.1');
      const [, calls] = /cmdstat_xadd:calls=(\d+)/.exec(await redis.info('commandstats')) ?? [];
      redis.disconnect();
      return Number(calls ?? 0);
    }),
  );
  const sum = taken.reduce((total, each) => total + each, 0);
  return taken.map((each) => `${((100 * each) / sum).toFixed(0)} %`).join(', ');
}

/** The largest number of connections of clients to Postgres while four web processes and two workers have visits and API calls. */
async function connections(stores: Stores): Promise<number> {
  const organization = await loadLinks(stores.database, 20_000, 'm');
  const key = await makeApiKey(stores.database, organization);
  const webs = [];
  for (let n = 0; n < 4; n++) webs.push(await launch(stores, 'web', SERVER_CORE));
  const workers = [await launch(stores, 'worker', OTHER_CORE), await launch(stores, 'worker', OTHER_CORE)];
  const ending = { over: false };
  const calls = webs.flatMap(({ url }) =>
    Array.from({ length: 20 }, async () => {
      while (!ending.over) {
        const answer = await fetch(`${url}/api/v1/service/urls?size=100`, { headers: { 'X-API-KEY': key } });
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`A list was answered with ${answer.status}`);
      }
    }),
  );
  const visits = webs.map(({ url }, n) =>
    runWrk({
      url,
      seconds: SECONDS,
      connections: 16,
      script: visiting(5_000, n * 5_000).replaceAll('/l%06d', '/m%06d'),
    }),
  );
  const finished = Promise.all(visits).then(() => (ending.over = true));
  let most = 0;
  while (!ending.over) {
    const [row] = await stores.database.query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
          AND application_name LIKE 'waypost%'`,
    );
    most = Math.max(most, row.count);
    await delay(50);
  }
  await Promise.all([finished, ...calls]);
  for (const each of [...webs, ...workers]) await each.stop();
  return most;
}

async function main(stores: BenchStores): Promise<void> {
  const single = async (name: string): Promise<Stores> => {
    const { url: databaseUrl, database } = await stores.database(name);
    const redisUrl = await stores.redis();
    const redis = await pidOfRedis(Number(new URL(redisUrl).port));
    return {
      databaseUrl,
      database,
      redisUrl,
      pids: [
        ['Redis', redis],
        ['Postgres', await postmasterOf(database)],
      ],
    };
  };
  const pooled = async (name: string, size: string): Promise<Stores> => {
    const direct = await single(name);
    const bouncer = await stores.ending(PgBouncer.start(direct.databaseUrl, { default_pool_size: size }));
    moveToCore(OTHER_CORE, bouncer.pid);
    return {
      ...direct,
      databaseUrl: bouncer.through(direct.databaseUrl),
      settings: { DATABASE_DIRECT_URL: direct.databaseUrl },
      pids: [...direct.pids, ['PgBouncer', bouncer.pid]],
    };
  };

  const installations = [
    await Installation.start('web and worker', ['web', 'worker'], await single('bench_roles')),
    await Installation.start('one process, `ROLE=all`', ['all'], await single('bench_all')),
    await Installation.start('PgBouncer', ['web', 'worker'], await pooled('bench_pooled', '40')),
  ];

  const options = Object.entries(CLUSTER_SETTINGS).flatMap(([name, value]) => [`--${name}`, value]);
  const cluster = await TestCluster.start(MASTERS, MASTERS, options);
  await stores.ending(Promise.resolve({ stop: () => cluster.end() }));
  const nodes = await Promise.all(
    cluster.nodes.map(async ({ port }, n): Promise<[Part, number]> => {
      const pid = await pidOfRedis(port);
      moveToCore(OTHER_CORE, pid);
      return [n < MASTERS ? 'Redis' : 'replicas', pid];
    }),
  );
  const clustered = await single('bench_cluster');
  installations.push(
    await Installation.start('Redis Cluster', ['web', 'worker'], {
      ...clustered,
      redisUrl: cluster.url,
      settings: { CLICK_STREAM_SHARDS: String(MASTERS) },
      pids: [...clustered.pids.filter(([part]) => part !== 'Redis'), ...nodes],
    }),
  );

  // The first round of each compiles code and fills caches.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const installation of installations) await installation.round();
  }
  print(installations);
  const masters = cluster.nodes.slice(0, MASTERS).map(({ port }) => port);
  console.log(`Appends of clicks by master of the cluster: ${await appends(masters)}`);
  for (const installation of installations) await installation.stop();

  const without = await connections(await single('bench_connections'));
  const through = await connections(await pooled('bench_connections_pooled', '20'));
  console.log(`Connections of four web processes and two workers: ${without}, through PgBouncer ${through}`);
}

runBench(main);
