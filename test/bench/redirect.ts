import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { requestEach } from './support/keep-alive-client';
import { BenchProcess } from './support/processes';
import { type BenchStores, countedClicks, loadLinks, loadOthers, runBench, until } from './support/stores';
import { measure, type Measured, median, type WrkResult } from './support/wrk';

/*
 * Measures redirects: requests/s of Waypost against a bare node:http server that answers a fixed 302, interleaved, with
 * the server on one core, and load and stores on the other. Every click is counted, and at the end the counts are
 * compared with the requests sent. With Redis also a mixed load: half of the requests for plain links, the rest for
 * custom domains, campaigns, and links with rules and variants. Without Redis the second reference is a bare server that
 * awaits a commit, because no code can avoid that cost.
 */
const LINKS = 10_000;
const OTHERS = { domains: 1_000, campaigns: 1_000, routed: 1_000 };
const CONNECTIONS = 64;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const LOAD = { seconds: Number(process.env.BENCH_SECONDS ?? 5), connections: CONNECTIONS };
const PORTS = { bare: 23_001, redis: 23_002, postgres: 23_003, worker: 23_004, commits: 23_005 };
const MAIN = join(__dirname, '../../src/main.js');
const SHORT_HOST = '127.0.0.1';

const linkPath = (n: number) => `/l${String(n).padStart(6, '0')}`;

const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
];

/** Requests are formatted once, because the load generator shares its core with the stores. */
const FULL_LOAD = `
local agents = {${USER_AGENTS.map((agent) => JSON.stringify(agent)).join(', ')}}
local n = math.random(0, ${LINKS - 1})
function made(count, path, host)
  local requests = {}
  for i = 0, count - 1 do
    requests[i] = wrk.format("GET", string.format(path, i), {
      ["Host"] = string.format(host or wrk.headers["Host"], i),
      ["User-Agent"] = agents[i % #agents + 1],
      ["Referer"] = "https://www.google.com/",
    })
  end
  return requests
end
local links
function init() links = made(${LINKS}, "/l%06d") end
function following()
  n = (n + 7919) % ${LINKS}
  return n
end
function request() return links[following()] end`;

const MIXED_LOAD = `${FULL_LOAD}
local kinds = {}
function init()
  local links = made(${LINKS}, "/l%06d")
  kinds = {
    made(${OTHERS.domains}, "/own", "d%04d.example"), links,
    made(${OTHERS.campaigns}, "/c/c%05d"), links,
    made(${OTHERS.routed}, "/t%05d"), links,
  }
end
local kind = 0
function request()
  kind = kind % #kinds + 1
  local requests = kinds[kind]
  return requests[following() % (#requests + 1)]
end`;

/** Pauses between the requests of twice as many connections, for a total of about this many per second. */
function partLoad(requestsPerSecond: number) {
  const connections = 2 * CONNECTIONS;
  const pause = Math.max(1, Math.round((connections / requestsPerSecond) * 1000));
  const script = `${FULL_LOAD}\nfunction delay() return math.random(0, ${2 * pause}) end`;
  return { ...LOAD, connections, script };
}

const rateOf = (results: readonly WrkResult[]) => median(results.map((r) => r.requestsPerSecond));

function settings(databaseUrl: string, port: number, more: Record<string, string>): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    SHORT_URL_BASE: `http://${SHORT_HOST}:${port}`,
    BASE_URL: `http://localhost:${port}`,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DATA_DIR: '/tmp/waypost-bench-data',
    ...more,
  };
}

async function countedByLink(database: DataSource): Promise<Map<string, number>> {
  const rows = await database.query<{ code: string; clicks: number }[]>(
    `SELECT l.code, sum(t.clicks + t.bot_clicks)::bigint AS clicks
       FROM click_totals t JOIN links l ON l.id = t.tracked_link_id GROUP BY l.code`,
  );
  return new Map(rows.map((row) => [row.code, row.clicks]));
}

/** Requests every link and checks that sent = answered = counted for each. */
async function verify(name: string, server: BenchProcess, database: DataSource): Promise<void> {
  const before = await countedByLink(database);
  const total = await countedClicks(database);
  const perLink = 10;
  const paths = Array.from({ length: LINKS * perLink }, (_, i) => linkPath(i % LINKS));
  const answered = await requestEach(Number(new URL(server.url).port), SHORT_HOST, paths, CONNECTIONS);
  await until(
    async () => (await countedClicks(database)) >= total + paths.length,
    60,
    'Clicks were not all counted',
  );
  const after = await countedByLink(database);
  const wrong = Array.from({ length: LINKS }, (_, n) => linkPath(n)).filter((path) => {
    const code = path.slice(1);
    return answered.get(path) !== perLink || (after.get(code) ?? 0) - (before.get(code) ?? 0) !== perLink;
  });
  console.log(
    `${name}: sent ${paths.length}, answered ${[...answered.values()].reduce((a, b) => a + b, 0)}, ` +
      `counted ${(await countedClicks(database)) - total}; links that differ: ${wrong.length}`,
  );
  if (wrong.length > 0) process.exitCode = 1;
}

async function main(stores: BenchStores): Promise<void> {
  const redisUrl = await stores.redis();
  const withRedis = await stores.database('bench_redis');
  const without = await stores.database('bench_alone');
  const databases = { redis: withRedis.database, postgres: without.database };
  await loadLinks(databases.postgres, LINKS);
  await loadOthers(databases.redis, await loadLinks(databases.redis, LINKS), OTHERS);

  const start = (port: number, databaseUrl: string, env: Record<string, string>) =>
    BenchProcess.start({ script: MAIN, port, env: settings(databaseUrl, port, env) });
  const startBare = (name: string, port: number, env: Record<string, string>) =>
    BenchProcess.start({ script: join(__dirname, `support/${name}.js`), port, env });
  const bare = await startBare('bare-server', PORTS.bare, {});
  const commits = await startBare('bare-commit-server', PORTS.commits, {
    DATABASE_URL: (await stores.database('bench_commits')).url,
  });
  const web = await start(PORTS.redis, withRedis.url, { REDIS_URL: redisUrl, ROLE: 'web' });
  const alone = await start(PORTS.postgres, without.url, {});
  const servers = { bare, redis: web, mixed: web, postgres: alone, commits };
  const names = {
    bare: 'bare node:http',
    redis: 'Waypost, Redis',
    mixed: 'Waypost, Redis, every kind',
    postgres: 'Waypost, no Redis',
    commits: 'bare node:http and one shared commit at a time',
  };
  const kinds = ['bare', 'redis', 'mixed', 'postgres', 'commits'] as const;
  type Kind = (typeof kinds)[number];

  const answered = { redis: 0, postgres: 0 };
  /** Without Redis the process counts for seconds after a load; waits for that, so that it does not slow down the next one. */
  const rested = () =>
    until(
      async () => (await countedClicks(databases.postgres)) >= answered.postgres,
      600,
      'Clicks were not all counted',
    );
  const results: Record<Kind, Measured[]> = { bare: [], redis: [], mixed: [], postgres: [], commits: [] };
  /** Median over the rounds of the ratio of rates. */
  const ratio = (kind: Kind, to: Kind) =>
    median(
      results[kind].map(
        ({ requestsPerSecond }, i) => requestsPerSecond / (results[to][i]?.requestsPerSecond ?? NaN),
      ),
    );
  for (let round = -1; round < ROUNDS; round++) {
    for (const kind of kinds) {
      const result = await measure(servers[kind], {
        ...LOAD,
        script: kind === 'mixed' ? MIXED_LOAD : FULL_LOAD,
      });
      if (kind === 'postgres') answered.postgres += result.requests;
      else if (servers[kind] === web) answered.redis += result.requests;
      await rested();
      // The first round warms up the JIT and the caches.
      if (round >= 0) results[kind].push(result);
    }
  }

  for (const kind of kinds) {
    const of = results[kind];
    const figures = [
      `${Math.round(rateOf(of))} requests/s`,
      `p50 ${median(of.map((r) => r.p50)).toFixed(2)} ms`,
      `p99 ${median(of.map((r) => r.p99)).toFixed(2)} ms`,
      `${median(of.map((r) => r.cpuMicros)).toFixed(1)} µs CPU a request`,
      `ratio ${ratio(kind, 'bare').toFixed(2)}`,
    ];
    console.log(`${names[kind]}: ${figures.join(', ')}`);
  }
  console.log(`${names.postgres}: ratio to the ${names.commits} ${ratio('postgres', 'commits').toFixed(2)}`);

  const backlog = answered.redis - (await countedClicks(databases.redis));
  const startWorker = () => start(PORTS.worker, withRedis.url, { REDIS_URL: redisUrl, ROLE: 'worker' });
  const drainer = await startWorker();
  const startedAt = performance.now();
  await until(
    async () => (await countedClicks(databases.redis)) >= answered.redis,
    600,
    'The stream was not drained',
  );
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`consumer on one core: ${backlog} clicks drained at ${Math.round(backlog / seconds)} clicks/s`);
  await drainer.stop();

  // With an empty stream, as consumers keep it, because Redis pauses to rewrite a large one. The bare servers at the
  // same rates show the latency of the machine itself.
  const halves = ['redis', 'bare', 'postgres', 'commits'] as const;
  const half = { redis: rateOf(results.redis) / 2, postgres: rateOf(results.postgres) / 2 };
  const rates = [half.redis, half.redis, half.postgres, half.postgres];
  const atHalf: Measured[][] = halves.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, kind] of halves.entries()) {
      const result = await measure(servers[kind], partLoad(rates[i] ?? NaN));
      if (kind === 'redis' || kind === 'postgres') answered[kind] += result.requests;
      await rested();
      atHalf[i]?.push(result);
    }
  }
  for (const [i, kind] of halves.entries()) {
    const of = atHalf[i] ?? [];
    console.log(
      `${names[kind]} at half load: ${Math.round(rateOf(of))} requests/s, ` +
        `p50 ${median(of.map((r) => r.p50)).toFixed(2)} ms, p99 ${median(of.map((r) => r.p99)).toFixed(2)} ms ` +
        `(${of.map((r) => r.p99.toFixed(1)).join(', ')})`,
    );
  }

  const worker = await startWorker();
  await until(
    async () => (await countedClicks(databases.redis)) >= answered.redis,
    600,
    'Clicks were not all counted',
  );
  for (const kind of ['redis', 'postgres'] as const) {
    const extra = (await countedClicks(databases[kind])) - answered[kind];
    console.log(
      `${names[kind]}: wrk had ${answered[kind]} answers; ${extra} more were counted, cut off by the end of a run`,
    );
    await verify(names[kind], servers[kind], databases[kind]);
  }

  for (const server of [worker, ...new Set(Object.values(servers))]) await server.stop();
}

runBench(main);
