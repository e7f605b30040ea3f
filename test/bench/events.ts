import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { hashKey, makeKey } from '../../src/access/api-keys/key-format';
import { BenchProcess, moveToCore, OTHER_CORE } from './support/processes';
import { type BenchStores, loadLinks, runBench } from './support/stores';
import { measure, median, percentile } from './support/wrk';

/*
 * Measures session events: the latency of a thousand events per second on a fixed schedule; then the maximum rate,
 * against a bare node:http server with a pool of ten pg connections that inserts the same row. Every session belongs to
 * a contact, so each event also updates its session, two rollups and an activity. The server has one core, load and
 * stores the other.
 */
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 2_000);
const RATE = Number(process.env.BENCH_RATE ?? 1_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const ROUND_SECONDS = 5;
const CONNECTIONS = 64;
const PORTS = { bare: 23_041, waypost: 23_042 };
const PATH = '/api/v1/cross-platform/session/event';
const GOAL_P99_MS = 50;

type Kind = keyof typeof PORTS;
interface Loaded {
  organizationId: number;
  appId: number;
  headers: Record<string, string>;
}

const sessionIdOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

async function load(database: DataSource): Promise<Loaded> {
  const organizationId = await loadLinks(database, 1);
  const key = makeKey('wp_app_');
  const [app] = await database.query<[{ id: number }]>(
    `INSERT INTO apps (organization_id, app_name, platform, bundle_id, path, scheme, api_key, api_key_hash, publishable_key, sdk_rate_per_minute,
                       created_at, updated_at)
     VALUES ($1, 'Bench', 'Web', 'bench', 'bench1', 'bench://', 'none', $2, '', 100000000, now(), now()) RETURNING id`,
    [organizationId, hashKey(key)],
  );
  await database.query(
    `INSERT INTO add_ons (organization_id, code, created_at) VALUES ($1, 'USER_JOURNEY', now())`,
    [organizationId],
  );
  await database.query(
    `INSERT INTO contacts (organization_id, id, external_user_id, origin, created_at, updated_at)
     SELECT $1, nextval('contact_ids'), 'member-' || n, 'SDK', now(), now() FROM generate_series(1, $2) AS n`,
    [organizationId, SESSIONS],
  );
  await database.query(
    `INSERT INTO funnel_sessions (organization_id, id, app_id, platform, first_platform, started_at, last_activity_at, stages, day,
                                  external_user_id)
     SELECT $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, 'WEB', 'WEB', now(), now(), 0,
            local_day($1, now()), 'member-' || n
       FROM generate_series(1, $3) AS n`,
    [organizationId, app.id, SESSIONS],
  );
  await database.query('ANALYZE funnel_sessions, contacts');
  const headers = {
    'X-App-ID': String(app.id),
    'X-Mobile-App-API-Key': key,
    'Content-Type': 'application/json',
  };
  return { organizationId, appId: app.id, headers };
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' });

function post(port: number, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { agent, port, host: '127.0.0.1', path: PATH, method: 'POST' };
    const sent = request(
      { ...options, headers: { ...headers, 'Content-Length': body.length } },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function bodyOf(n: number, startedAt: number): string {
  return JSON.stringify({
    sessionId: sessionIdOf(1 + ((n * 7919) % SESSIONS)),
    eventType: `event_${n % 20}`,
    eventData: { amount: n % 100, currency: 'USD', product: `product-${n % 1000}` },
    clientTimestamp: new Date(startedAt + n).toISOString(),
    clientTimezone: 'UTC',
  });
}

/** Open-loop load: sends on schedule, so that a slow response delays no other request. */
async function paced(port: number, headers: Record<string, string>, seconds: number, base: number) {
  const times: number[] = [];
  const failed: number[] = [];
  const pending: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let n = 0; n < RATE * seconds;) {
    for (; n < RATE * seconds && startedAt + (n * 1000) / RATE <= performance.now(); n++) {
      const due = startedAt + (n * 1000) / RATE;
      const settle = (status: number) => {
        if (status === 200) times.push(performance.now() - due);
        else failed.push(status);
      };
      const sent = post(port, headers, bodyOf(n, base)).then(settle, () => settle(0));
      pending.push(sent);
    }
    await delay(1);
  }
  await Promise.all(pending);
  return { sent: RATE * seconds, times, failed };
}

const script = (headers: Record<string, string>) => `
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
  .join('\n')}
math.randomseed(os.time())
local n = math.random(1, 80000000)
function request()
  n = n + 1
  local ms = n % 86400000
  return wrk.format("POST", "${PATH}", nil, string.format(
    '{"sessionId":"00000000-0000-4000-8000-%012d","eventType":"event_%d","eventData":{"amount":%d,"currency":"USD","product":"product-%d"},"clientTimestamp":"2026-01-01T%02d:%02d:%02d.%03dZ","clientTimezone":"UTC"}',
    1 + n * 7919 % ${SESSIONS}, n % 20, n % 100, n % 1000,
    ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000))
end`;

/** Counts the events in every table, which must all agree. */
async function counted(database: DataSource, { organizationId }: Loaded): Promise<Record<string, number>> {
  const [row] = await database.query<[Record<string, number>]>(
    `SELECT (SELECT count(*) FROM session_events WHERE organization_id = $1) AS events,
            (SELECT coalesce(sum(events), 0)::bigint FROM funnel_sessions WHERE organization_id = $1) AS sessions,
            (SELECT coalesce(sum(events), 0)::bigint FROM session_rollups WHERE organization_id = $1) AS days,
            (SELECT coalesce(sum(events), 0)::bigint FROM event_rollups WHERE organization_id = $1) AS types,
            (SELECT coalesce(sum(count), 0)::bigint FROM contact_activities WHERE organization_id = $1) AS activity`,
    [organizationId],
  );
  return row;
}

async function measureRate(database: DataSource, loaded: Loaded): Promise<void> {
  const { headers } = loaded;
  const now = Date.now();
  await paced(PORTS.waypost, headers, 2, now - 3_600_000);
  // The bare server, before and after, shows the latency of the machine itself.
  const bareBefore = await paced(PORTS.bare, headers, SECONDS / 2, now - 3_000_000);
  const before = await counted(database, loaded);
  const { sent, times, failed } = await paced(PORTS.waypost, headers, SECONDS, now - 1_800_000);
  const after = await counted(database, loaded);
  const bareAfter = await paced(PORTS.bare, headers, SECONDS / 2, now - 2_400_000);
  const wrong = Object.entries(after).filter(([name, value]) => value - (before[name] ?? 0) !== times.length);
  const p99 = percentile(times, 0.99);
  console.log(
    `${RATE} events a second for ${SECONDS} s: sent ${sent}, answered ${times.length}, counted ` +
      `${wrong.length === 0 ? 'each, in every figure' : JSON.stringify(wrong)}; p50 ` +
      `${percentile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
      `${p99 <= GOAL_P99_MS ? 'within' : 'MISSES'} ${GOAL_P99_MS} ms`,
  );
  for (const [name, bare] of [
    ['before it', bareBefore],
    ['after it', bareAfter],
  ] as const) {
    console.log(
      `bare insert at the same rate, ${name}: p50 ${percentile(bare.times, 0.5).toFixed(1)} ms, ` +
        `p99 ${percentile(bare.times, 0.99).toFixed(1)} ms`,
    );
  }
  if (failed.length > 0) console.log(`failed: ${failed.join(', ')} (0: no answer)`);
  if (wrong.length > 0 || failed.length > 0 || p99 > GOAL_P99_MS) process.exitCode = 1;
}

async function measureRatio(servers: Record<Kind, BenchProcess>, { headers }: Loaded): Promise<void> {
  const rates: Record<Kind, number[]> = { bare: [], waypost: [] };
  const cpu: Record<Kind, number[]> = { bare: [], waypost: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const kind of ['bare', 'waypost'] as const) {
      const load = { seconds: ROUND_SECONDS, connections: CONNECTIONS, script: script(headers) };
      const { requestsPerSecond, cpuMicros } = await measure(servers[kind], load);
      // The first round warms up.
      if (round < 0) continue;
      rates[kind].push(requestsPerSecond);
      cpu[kind].push(cpuMicros);
    }
  }
  const ratio = median(rates.waypost.map((rate, i) => rate / (rates.bare[i] ?? NaN)));
  for (const [kind, name] of [
    ['bare', 'bare insert'],
    ['waypost', 'Waypost'],
  ] as const) {
    console.log(
      `${name}: ${Math.round(median(rates[kind]))} events/s, ${median(cpu[kind]).toFixed(0)} µs CPU an event` +
        (kind === 'waypost' ? `, ratio ${ratio.toFixed(2)}` : ''),
    );
  }
}

async function main(stores: BenchStores): Promise<void> {
  moveToCore(OTHER_CORE, process.pid);
  const redisUrl = await stores.redis();
  const { url, database } = await stores.database('bench_events');
  const loaded = await load(database);
  const servers: Record<Kind, BenchProcess> = {
    bare: await BenchProcess.start({
      script: join(__dirname, 'support/bare-events-server.js'),
      port: PORTS.bare,
      env: {
        DATABASE_URL: url,
        ORGANIZATION_ID: String(loaded.organizationId),
        APP_ID: String(loaded.appId),
      },
    }),
    waypost: await BenchProcess.waypost(PORTS.waypost, { databaseUrl: url, redisUrl }),
  };
  await measureRate(database, loaded);
  if (ROUNDS > 0) await measureRatio(servers, loaded);

  agent.destroy();
  for (const server of Object.values(servers)) await server.stop();
}

runBench(main);
