import { databaseOf } from '../support/database-of';
import { createHash } from 'node:crypto';
import { Agent, get } from 'node:http';
import type { DataSource } from 'typeorm';
import { hashKey, makeKey } from '../../src/access/api-keys/key-format';
import { Visitors } from '../../src/modules/clicks/visitors';
import { percentile } from './support/click-load';
import { BenchProcess } from './support/processes';
import { type BenchStores, loadLinks, runBench } from './support/stores';

/*
 * Measures matching an app's first start over HTTP, among a million open clicks, five per IP address, including the
 * commit of everything that a match records; and for comparison a response that needs no store.
 */
const OPEN = Number(process.env.BENCH_FINGERPRINTS ?? 1_000_000);
const CALLS = Number(process.env.BENCH_CALLS ?? 2_000);
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 1_500);
const PORT = 23_025;
const GOAL_MS = 10;
const BATCH = 20_000;

const IPHONE = (version: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`;
const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

/** Phones behind one IP address: the reports of their page (user agent, screen, model, version) and of their app. */
const PHONES = [
  { page: [IPHONE('26.1'), '393x852', null, null], app: ['CFNetwork/3826', '1179x2556', '26.1'] },
  { page: [IPHONE('26.1'), '440x956', null, null], app: ['CFNetwork/3826', '1320x2868', '26.1'] },
  { page: [IPHONE('18.6'), '390x844', null, null], app: ['CFNetwork/3826', '1170x2532', '18.6'] },
  { page: [CHROME, '384x832', 'SM-S928B', '16.0.0'], app: ['Android 16; SM-S928B', '1440x3120', '16'] },
  { page: [CHROME, '411x914', 'Pixel 8a', '15.0.0'], app: ['Android 15; Pixel 8a', '1080x2400', '15'] },
] as const;

const addressOf = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

interface BenchApp {
  id: number;
  key: string;
}

async function makeApp(database: DataSource, organizationId: number): Promise<BenchApp> {
  const key = makeKey('wp_app_');
  const [app] = await database.query<[{ id: number }]>(
    `INSERT INTO apps (organization_id, app_name, platform, bundle_id, path, scheme, api_key, api_key_hash,
                       sdk_rate_per_minute, created_at)
     VALUES ($1, 'Bench', 'iOS', 'com.example.bench', 'bench', 'bench://', 'none', $2, 1000000000, now()) RETURNING id`,
    [organizationId, hashKey(key)],
  );
  await database.query(`UPDATE links SET ios_app_id = $1, ios_deep_link_path = '/products/42'`, [app.id]);
  return { id: app.id, key };
}

async function loadOpenClicks(database: DataSource, organizationId: number, appId: number): Promise<void> {
  const visitors = new Visitors(databaseOf(database));
  await visitors.loadAddressSalt();
  for (let start = 0; start < OPEN; start += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, OPEN - start) }, (_, i) => start + i);
    const phones = numbers.map((n) => PHONES[n % PHONES.length]?.page ?? []);
    await database.query(LOAD, [
      numbers,
      numbers.map((n) => createHash('sha256').update(String(n)).digest()),
      numbers.map((n) => Buffer.from(visitors.addressHash(addressOf(Math.floor(n / PHONES.length))), 'hex')),
      ...[0, 1, 2, 3].map((field) => phones.map((page) => page[field] ?? null)),
      organizationId,
      appId,
    ]);
  }
  await database.query(
    `INSERT INTO funnel_sessions (organization_id, id, app_id, kind, tracked_link_id, platform, first_platform,
                                  started_at, last_activity_at, day, stages)
     SELECT organization_id, session_id, app_id, kind, tracked_link_id, 'IOS', 'IOS', issued_at, issued_at,
            issued_at::date, 1
       FROM deep_link_tokens`,
  );
  await database.query('VACUUM ANALYZE deep_link_tokens, funnel_sessions');
}

// Clicks of the last 23 hours, spread over all links.
const LOAD = `
  INSERT INTO deep_link_tokens (issued_at, token_hash, organization_id, kind, tracked_link_id, app_id, click_id,
                                session_id, ip_hash, user_agent, resolution, device_model, os_version, language)
  SELECT date_trunc('milliseconds', now() - interval '23 hours' * random()), token_hash, $8, 1, 1 + n % 1000, $9, n,
         gen_random_uuid(), ip_hash, user_agent, resolution, device_model, os_version, 'ko-KR'
    FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::text[])
      AS t (n, token_hash, ip_hash, user_agent, resolution, device_model, os_version)`;

class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor(private readonly app: BenchApp) {}

  async time(path: string, expected: string): Promise<number> {
    const startedAt = performance.now();
    const answer = await this.get(path);
    const ms = performance.now() - startedAt;
    if (!answer.includes(expected)) throw new Error(`${path}: ${answer}`);
    return ms;
  }

  close(): void {
    this.agent.destroy();
  }

  private get(path: string): Promise<string> {
    const { id, key } = this.app;
    const headers = { 'X-App-ID': String(id), 'X-Mobile-App-API-Key': key };
    return new Promise((done, reject) => {
      get({ agent: this.agent, host: '127.0.0.1', port: PORT, path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('end', () => done(text));
      }).on('error', reject);
    });
  }
}

function resolvePath(n: number, ip: string): string {
  const [userAgent, resolution, osVersion] = PHONES[n % PHONES.length]?.app ?? PHONES[0].app;
  const query = new URLSearchParams({ userAgent: `(${userAgent})`, ipAddress: ip, resolution, osVersion });
  return `/api/v1/sdk/mobile/deeplink/resolve-fingerprint?${query.toString()}`;
}

/** Spreads numbers over all clicks without repetition. */
const spread = (n: number) => (n * 7_919) % OPEN;
let next = 0;

const CASES: Readonly<Record<string, (client: Client) => Promise<number>>> = {
  'a match': (client) => {
    const n = spread(next++);
    return client.time(resolvePath(n, addressOf(Math.floor(n / PHONES.length))), '"matched":true');
  },
  'a device that is not there': (client) => {
    const n = spread(next++);
    const path = resolvePath(n, addressOf(Math.floor(n / PHONES.length)));
    return client.time(path.replace(/osVersion=\d+/, 'osVersion=12'), '"LOW_CONFIDENCE"');
  },
  'an address that is not there': (client) =>
    client.time(resolvePath(next++, `192.0.2.${next % 250}`), '"NO_CANDIDATE"'),
  '/health/live': (client) => client.time('/health/live', '"ok"'),
};

async function measure(client: Client, name: string, callers: number, calls: number): Promise<number[]> {
  const times: number[] = [];
  let left = calls;
  const call = CASES[name];
  if (!call) throw new Error(`There is no case ${name}`);
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) times.push(await call(client));
    }),
  );
  return times;
}

async function main(stores: BenchStores): Promise<void> {
  const redisUrl = await stores.redis();
  const { url, database } = await stores.database('bench_fingerprint');
  await database.query('SET statement_timeout = 0');
  const organizationId = await loadLinks(database, 1_000);
  const app = await makeApp(database, organizationId);
  const startedAt = performance.now();
  await loadOpenClicks(database, organizationId, app.id);
  console.log(`${OPEN} open clicks loaded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);

  const server = await BenchProcess.waypost(PORT, { databaseUrl: url, redisUrl }, { LOG_LEVEL: 'warn' });
  const client = new Client(app);
  for (const name of Object.keys(CASES)) await measure(client, name, 8, WARM_UP);
  for (const callers of [1, 8]) {
    for (const name of Object.keys(CASES)) {
      const times = await measure(client, name, callers, CALLS);
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentile(times, part));
      const words = [p50, p95, p99].map((ms = NaN, i) => `p${[50, 95, 99][i]} ${ms.toFixed(1)} ms`);
      const isReached = name.startsWith('/') || (p95 ?? NaN) <= GOAL_MS;
      console.log(
        `${callers} at a time, ${name}: ${words.join(', ')}${isReached ? '' : ` MISSES p95 of ${GOAL_MS} ms`}`,
      );
      if (!isReached) process.exitCode = 1;
    }
  }
  client.close();
  await server.stop();
}

runBench(main);
