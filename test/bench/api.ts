import { join } from 'node:path';
import { makeApiKey } from './support/api-key';
import { BenchProcess } from './support/processes';
import { type BenchStores, loadLinks, runBench } from './support/stores';
import { measure, type Measured, median } from './support/wrk';

/*
 * Measures the Service API: links created and single links read per second, against a bare node:http server with a pool
 * of ten pg connections that inserts or selects the same row. Both run interleaved, with the server on one core, and
 * load and stores on the other. Then it lists links, saves contacts and registers opt-outs, without a reference.
 */
const LINKS = 10_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const LOAD = { seconds: Number(process.env.BENCH_SECONDS ?? 5), connections: 32 };
const PORTS = { bare: 23_011, waypost: 23_012 };

const GOALS = { create: 0.25, read: 0.3 };

const SERVICE = '/api/v1/service';
/** Calls without a reference: method, path and body, with `%d` for a number. */
const ALONE = {
  'list of 20 links': ['GET', `${SERVICE}/urls?size=20&page=%d`, null],
  'contact saved': [
    'POST',
    `${SERVICE}/messaging/contacts`,
    '{"externalUserId":"member-%d","name":"Kim Minji","email":"member-%d@example.com"}',
  ],
  'opt-out registered': [
    'POST',
    `${SERVICE}/messaging/unsubscribes`,
    '{"channel":"EMAIL","value":"member-%d@example.com"}',
  ],
} as const;

type Call = keyof typeof GOALS;
type Kind = keyof typeof PORTS;

const script = (call: Call, path: string, apiKey: string) => `
wrk.headers["X-API-KEY"] = "${apiKey}"
wrk.headers["Content-Type"] = "application/json"
local n = math.random(1, 1000000000)
function request()
  n = n + 7919
  ${
    call === 'create'
      ? `return wrk.format("POST", "${path}", nil,
    string.format('{"url":"https://shop.example.com/products/%d?ref=bench","title":"Product %d"}', n, n))`
      : `return wrk.format("GET", "${path}/" .. (n % ${LINKS} + 1))`
  }
end`;

const scriptAlone = ([method, path, body]: (typeof ALONE)[keyof typeof ALONE], apiKey: string) => `
wrk.headers["X-API-KEY"] = "${apiKey}"
wrk.headers["Content-Type"] = "application/json"
local n = math.random(1, 1000000000)
function request()
  n = n + 7919
  ${
    body === null
      ? `return wrk.format("${method}", string.format("${path}", n % 50))`
      : `return wrk.format("${method}", "${path}", nil, (string.gsub('${body}', "%%d", n)))`
  }
end`;

function report(name: string, results: Measured[], ratios: number[] = []): number {
  const of = (figure: (result: Measured) => number) => median(results.map(figure));
  const ratio = median(ratios);
  const figures = [
    `${Math.round(of((r) => r.requestsPerSecond))} requests/s`,
    `p50 ${of((r) => r.p50).toFixed(2)} ms`,
    `p99 ${of((r) => r.p99).toFixed(2)} ms`,
    `${of((r) => r.cpuMicros).toFixed(0)} µs CPU a request`,
    ...(ratios.length > 0 ? [`ratio ${ratio.toFixed(2)}`] : []),
  ];
  console.log(`${name}: ${figures.join(', ')}`);
  return ratio;
}

async function main(stores: BenchStores): Promise<void> {
  const redisUrl = await stores.redis();
  const { url, database } = await stores.database('bench_api');
  const organizationId = await loadLinks(database, LINKS);
  await database.query(
    `INSERT INTO add_ons (organization_id, code, created_at) VALUES ($1, 'MESSAGING', now())`,
    [organizationId],
  );
  await database.query(
    `INSERT INTO ip_allow_list (organization_id, cidr, created_at) VALUES ($1, '127.0.0.0/8', now())`,
    [organizationId],
  );
  const apiKey = await makeApiKey(database, organizationId);

  const servers: Record<Kind, BenchProcess> = {
    bare: await BenchProcess.start({
      script: join(__dirname, 'support/bare-api-server.js'),
      port: PORTS.bare,
      env: { DATABASE_URL: url, ORGANIZATION_ID: String(organizationId) },
      readyPath: '/urls/1',
    }),
    waypost: await BenchProcess.waypost(PORTS.waypost, { databaseUrl: url, redisUrl }),
  };
  const paths: Record<Kind, string> = { bare: '/urls', waypost: '/api/v1/service/urls' };
  const names: Record<Kind, string> = { bare: 'bare node:http and pg', waypost: 'Waypost' };

  for (const call of ['create', 'read'] as const) {
    const results: Record<Kind, Measured[]> = { bare: [], waypost: [] };
    for (let round = -1; round < ROUNDS; round++) {
      for (const kind of ['bare', 'waypost'] as const) {
        const result = await measure(servers[kind], { ...LOAD, script: script(call, paths[kind], apiKey) });
        // The first round warms up.
        if (round >= 0) results[kind].push(result);
      }
    }
    const ratios = results.waypost.map(
      (result, i) => result.requestsPerSecond / (results.bare[i]?.requestsPerSecond ?? NaN),
    );
    report(`${call}, ${names.bare}`, results.bare, [1]);
    const ratio = report(`${call}, ${names.waypost}`, results.waypost, ratios);
    console.log(`${call}: ${ratio >= GOALS[call] ? 'reaches' : 'MISSES'} the ratio of ${GOALS[call]}`);
    if (ratio < GOALS[call]) process.exitCode = 1;
  }

  for (const [name, call] of Object.entries(ALONE)) {
    const results: Measured[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const result = await measure(servers.waypost, { ...LOAD, script: scriptAlone(call, apiKey) });
      if (round >= 0) results.push(result);
    }
    report(name, results);
  }

  for (const server of Object.values(servers)) await server.stop();
}

runBench(main);
