import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { BenchProcess, cpuOfTree, moveToCore, OTHER_CORE, SERVER_CORE } from './support/processes';
import { type BenchStores, loadLinks, postmasterOf, runBench, until } from './support/stores';
import { median, runWrk, visiting } from './support/wrk';

/*
 * Measures counting with one worker and one shard against two workers and four shards, in turn: clicks a second, and CPU
 * time a click. Clicks pile up in the stream while the workers are stopped; what is measured is their way from there.
 * Fails if two count too little.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const LINKS = 800;
const FIRST_PORT = 23_021;
const WORKERS = 2;
const CORES = cpus().length;
/** What two workers must count of what one does. Two cores have room for one worker and Postgres. */
const BAR = CORES > 2 ? 1.7 : 0.9;

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

/** On more than two cores, each worker has one of its own, and Postgres those that are left. */
function coreOf(n: number): number {
  if (n <= 1) return SERVER_CORE;
  return CORES > 2 ? n : OTHER_CORE;
}

const PARTS = ['workers', 'Redis', 'Postgres'] as const;

interface Round {
  clicks: number;
  seconds: number;
  /** Microseconds a click. */
  cpu: Record<(typeof PARTS)[number], number>;
}

/** A web process and workers with a database and a Redis of their own. */
class Installation {
  readonly rounds: Round[] = [];

  private constructor(
    readonly name: string,
    private readonly web: BenchProcess,
    private readonly workers: readonly BenchProcess[],
    private readonly database: DataSource,
    private readonly redis: number,
    private readonly postmaster: number,
  ) {}

  static async start(
    stores: BenchStores,
    size: { workers: number; shards: number; port: number },
  ): Promise<Installation> {
    const { workers, shards, port } = size;
    const redisUrl = await stores.redis();
    const { url: databaseUrl, database } = await stores.database(`bench_workers_${workers}`);
    await loadLinks(database, LINKS);
    if (CORES > 2) moveToCore(range(WORKERS + 1, CORES), await postmasterOf(database));
    const start = (n: number, role: string) =>
      BenchProcess.waypost(
        port + n,
        { databaseUrl, redisUrl },
        {
          ROLE: role,
          LOG_LEVEL: 'warn',
          TRUST_PROXY: 'loopback',
          LINK_HEALTH: 'false',
          OG_FETCH: 'false',
          CLICK_STREAM_SHARDS: String(shards),
        },
        { core: coreOf(n) },
      );
    const started = [];
    for (let n = 1; n <= workers; n++) started.push(await start(n, 'worker'));
    const client = new Redis(redisUrl);
    const [, redis] = /process_id:(\d+)/.exec(await client.info('server')) ?? [];
    client.disconnect();
    const name = workers === 1 ? 'one worker, one shard' : `${workers} workers, ${shards} shards`;
    const web = await start(0, 'web');
    return new Installation(name, web, started, database, Number(redis), await postmasterOf(database));
  }

  /** Lets clicks pile up, and counts them. */
  async round(): Promise<void> {
    const before = await this.counted();
    for (const { pid } of this.workers) process.kill(pid, 'SIGSTOP');
    const { requests, errors } = await runWrk({
      url: this.web.url,
      seconds: SECONDS,
      connections: 256,
      script: visiting(LINKS),
    });
    if (errors > 0) throw new Error(`${errors} requests failed`);
    // Requests that the end of the load cut off are journaled too.
    await delay(1_000);
    const cpu = this.cpu();
    const startedAt = performance.now();
    for (const { pid } of this.workers) process.kill(pid, 'SIGCONT');
    await until(async () => (await this.counted()) - before >= requests, 300, 'Clicks were not all counted');
    const seconds = (performance.now() - startedAt) / 1000;
    const clicks = (await this.counted()) - before;
    const after = this.cpu();
    const micros = (part: (typeof PARTS)[number]) => ((after[part] - cpu[part]) * 1000) / clicks;
    this.rounds.push({
      clicks,
      seconds,
      cpu: { workers: micros('workers'), Redis: micros('Redis'), Postgres: micros('Postgres') },
    });
  }

  async stop(): Promise<void> {
    for (const each of [this.web, ...this.workers]) await each.stop();
  }

  private cpu(): Record<(typeof PARTS)[number], number> {
    return {
      workers: this.workers.reduce((sum, { pid }) => sum + cpuOfTree(pid), 0),
      Redis: cpuOfTree(this.redis),
      Postgres: cpuOfTree(this.postmaster),
    };
  }

  private async counted(): Promise<number> {
    const [row] = await this.database.query<[{ clicks: number }]>(
      `SELECT coalesce(sum(clicks + bot_clicks), 0)::bigint AS clicks FROM click_totals`,
    );
    return row.clicks;
  }
}

const allIn = ({ cpu }: Round) => PARTS.reduce((sum, part) => sum + cpu[part], 0);

async function main(stores: BenchStores): Promise<void> {
  const one = await Installation.start(stores, { workers: 1, shards: 1, port: FIRST_PORT });
  const two = await Installation.start(stores, { workers: WORKERS, shards: 4, port: FIRST_PORT + 5 });
  // The first round of each compiles code and fills caches.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const installation of [one, two]) await installation.round();
  }
  console.log(`| | clicks a second | ${PARTS.join(' | ')} | all in, µs CPU a click |`);
  console.log(`| --- |${' --- |'.repeat(PARTS.length + 2)}`);
  for (const { name, rounds } of [one, two]) {
    for (const round of rounds.slice(1)) {
      const cells = [...PARTS.map((part) => round.cpu[part]), allIn(round)].map((each) => each.toFixed(1));
      console.log(`| ${name} | ${(round.clicks / round.seconds).toFixed(0)} | ${cells.join(' | ')} |`);
    }
  }
  const ratio = (of: (round: Round) => number) =>
    median(one.rounds.slice(1).map((round, i) => of(two.rounds[i + 1] ?? round) / of(round)));
  const rate = ratio((round) => round.clicks / round.seconds);
  console.log(
    `Ratios, medians of rounds: ${rate.toFixed(2)} clicks a second, ${ratio(allIn).toFixed(2)} CPU a click, ` +
      `${ratio(({ cpu }) => cpu.workers).toFixed(2)} of that of the workers`,
  );
  const met = rate >= BAR;
  console.log(`Goal on ${CORES} cores: ${BAR.toFixed(2)} clicks a second, ${met ? 'met' : 'not met'}`);
  if (!met) process.exitCode = 1;
  for (const installation of [one, two]) await installation.stop();
}

runBench(main);
