import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { makeApiKey } from './support/api-key';
import { BenchCounter } from './support/bench-counter';
import { measureIdleCost } from './support/live-idle';
import { LiveStream } from './support/live-stream';
import { BenchProcess, OTHER_CORE } from './support/processes';
import { type BenchStores, loadLinks, runBench, until } from './support/stores';
import { median, runWrk, type WrkResult } from './support/wrk';

/*
 * Measures live clicks. First what 50 listeners cost a process without visits, while 2,000 clicks a second are counted
 * by SQL, so that nothing but the listeners differs. Then what they cost redirects: full load on the links of another
 * organization, rounds without and with listeners in turn. Then what listeners see: 2,000 visits a second, counted by a
 * worker on the other core, while some listeners come back all the time; each click must come to each listener once.
 */
const LINKS = 1_000;
const LISTENERS = 50;
const CLICKS_A_SECOND = 2_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const SHOWN_SECONDS = 20;
const CONNECTIONS = 64;
const PORTS = { web: 23_101, worker: 23_102, bare: 23_103 };
/** Streams that a user may have open. */
const OF_USER = 20;

const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Visits links by numbered paths. */
const load = (path: string, pauseMs: number) => `
local requests = {}
function init()
  for i = 0, ${LINKS - 1} do
    requests[i] = wrk.format("GET", string.format("${path}", i), { ["User-Agent"] = "${AGENT}" })
  end
end
local n = 0
function request()
  n = (n + 7919) % ${LINKS}
  return requests[n]
end
${pauseMs > 0 ? `function delay() return math.random(0, ${2 * pauseMs}) end` : ''}`;

interface Measured extends WrkResult {
  cpuMicros: number;
}

async function measure(web: BenchProcess): Promise<Measured> {
  const before = web.cpu();
  const script = load('/l%06d', 0);
  const result = await runWrk({ url: shortUrl(web), seconds: SECONDS, connections: CONNECTIONS, script });
  if (result.errors > 0) throw new Error(`${result.errors} requests failed`);
  return { ...result, cpuMicros: (web.cpu() - before) / result.requests };
}

const shortUrl = (web: BenchProcess) => web.url.replace('127.0.0.1', 'localhost');

/** @returns the number of redirects */
async function measureCost(web: BenchProcess, listeners: () => LiveStream[]): Promise<number> {
  let redirects = 0;
  const rounds: { alone: Measured; heard: Measured }[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const measured: Partial<Record<'alone' | 'heard', Measured>> = {};
    // Alternates the order, so that drift of the machine's load favours neither.
    for (const kind of round % 2 === 0 ? (['alone', 'heard'] as const) : (['heard', 'alone'] as const)) {
      const streams = kind === 'heard' ? listeners() : [];
      await Promise.all(streams.map((stream) => stream.open()));
      await delay(500);
      const result = await measure(web);
      redirects += result.requests;
      measured[kind] = result;
      for (const stream of streams) stream.close();
      await delay(500);
    }
    const { alone, heard } = measured;
    // The first round warms up the JIT and the caches.
    if (round >= 0 && alone && heard) rounds.push({ alone, heard });
  }
  for (const [kind, name] of [
    ['alone', 'without listeners'],
    ['heard', `${LISTENERS} listeners`],
  ] as const) {
    const of = rounds.map((round) => round[kind]);
    console.log(
      `${name}: ${Math.round(median(of.map((r) => r.requestsPerSecond)))} redirects/s, ` +
        `p99 ${median(of.map((r) => r.p99)).toFixed(1)} ms, ` +
        `${median(of.map((r) => r.cpuMicros)).toFixed(2)} µs CPU a redirect`,
    );
  }
  const ratio = (of: (measured: Measured) => number) =>
    rounds.map(({ alone, heard }) => of(heard) / of(alone));
  const shown = (ratios: readonly number[]) =>
    `${median(ratios).toFixed(3)} (${ratios
      .toSorted((a, b) => a - b)
      .map((r) => r.toFixed(3))
      .join(', ')})`;
  console.log(`redirects/s with listeners, times those without: ${shown(ratio((r) => r.requestsPerSecond))}`);
  console.log(`CPU a redirect, likewise: ${shown(ratio((r) => r.cpuMicros))}`);
  return redirects;
}

async function measureDelays(
  web: BenchProcess,
  database: DataSource,
  organizationId: number,
  listeners: LiveStream[],
): Promise<void> {
  await Promise.all(listeners.map((stream) => stream.open()));
  const [first] = await database.query<[{ id: string | null }]>('SELECT max(id) AS id FROM clicks');
  const connections = 2 * CONNECTIONS;
  const script = load('/live%06d', Math.round((connections / CLICKS_A_SECOND) * 1000));
  let isOver = false;
  const over = () => isOver;
  const leaving = (async () => {
    for (let n = 0; !over(); n += 3) {
      await delay(300);
      const stream = listeners[n % 20];
      stream?.close();
      await delay(100);
      await stream?.open();
    }
  })();
  const result = await runWrk({ url: shortUrl(web), seconds: SHOWN_SECONDS, connections, script });
  isOver = true;
  await leaving;
  const counted = async () => {
    const rows = await database.query<{ id: number; at: number }[]>(
      `SELECT id::float8 AS id, (extract(epoch FROM created_at) * 1000)::float8 AS at
         FROM live_batches, unnest(ids) AS id WHERE organization_id = $1 AND id > $2`,
      [organizationId, first.id ?? 0],
    );
    return new Map(rows.map(({ id, at }) => [id, at]));
  };
  await until(async () => (await counted()).size >= result.requests, 60, 'Clicks were not all counted');
  const times = await counted();
  await until(
    () => Promise.resolve(listeners.every(({ shown }) => shown.length >= times.size)),
    30,
    'Clicks were not all shown',
  );
  const wrong = listeners.filter(
    ({ shown }) => shown.length !== times.size || new Set(shown.map(({ id }) => id)).size !== times.size,
  );
  const delays = listeners
    .flatMap(({ shown }) => shown.map(({ id, at }) => at - (times.get(id) ?? NaN)))
    .sort((a, b) => a - b);
  const at = (share: number) => Math.round(delays[Math.floor((delays.length - 1) * share)] ?? NaN);
  console.log(
    `${Math.round(result.requestsPerSecond)} visits/s, ${times.size} clicks counted, ` +
      `${delays.length} times shown to ${listeners.length} listeners, ` +
      `of whom ${wrong.length} missed any or got any twice; from the beginning of the counting transaction: ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms`,
  );
  if (wrong.length > 0 || at(1) > 2_000) process.exitCode = 1;
}

/** `npm run bench:live -- idle` runs the first part alone. */
async function main(stores: BenchStores): Promise<void> {
  const [, , part] = process.argv;
  const redisUrl = await stores.redis();
  const { url: databaseUrl, database } = await stores.database('bench_live');
  await loadLinks(database, LINKS);
  const organizationId = await loadLinks(database, LINKS, 'live');
  await BenchCounter.prepare(database);
  const keys: string[] = [];
  for (let n = 0; n < LISTENERS / OF_USER; n++) {
    keys.push(await makeApiKey(database, organizationId, [], `bench-${n}`));
  }
  const env = { LOG_LEVEL: 'warn' };
  const web = await BenchProcess.waypost(PORTS.web, { databaseUrl, redisUrl }, { ...env, ROLE: 'web' });
  const listeners = (url: string, records = false) =>
    Array.from({ length: LISTENERS }, (_, n) => new LiveStream(url, keys[n % keys.length] ?? '', records));
  const counter = BenchCounter.start(database, organizationId, CLICKS_A_SECOND);
  await measureIdleCost(web, PORTS.bare, listeners);
  const redirects = part === 'idle' ? 0 : await measureCost(web, () => listeners(web.url));
  await counter.stop();
  if (part !== 'idle') {
    const worker = await startWorker({ ...env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl });
    await untilCounted(database, redirects);
    await measureDelays(web, database, organizationId, listeners(web.url, true));
    await worker.stop();
  }
  await web.stop();
}

/** Starts a worker on the core that is not the web process's. */
function startWorker(env: Record<string, string>): Promise<BenchProcess> {
  return BenchProcess.start({
    script: require.resolve('../../src/main.js'),
    port: PORTS.worker,
    core: OTHER_CORE,
    env: { ...env, ROLE: 'worker', HOST: '127.0.0.1', DATA_DIR: '/tmp/waypost-bench-data' },
  });
}

async function untilCounted(database: DataSource, redirects: number): Promise<void> {
  const isCounted = async () => {
    const [row] = await database.query<[{ clicks: number }]>(
      'SELECT coalesce(sum(clicks + bot_clicks), 0)::float8 AS clicks FROM click_totals',
    );
    return row.clicks >= redirects;
  };
  await until(isCounted, 600, 'The backlog was not counted');
}

runBench(main);
