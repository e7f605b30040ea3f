import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidConfiguration } from '../../src/config/invalid-configuration';
import { reportRedis } from '../../src/start/redis-report';
import { eventually } from '../support/eventually';
import { createTestDatabase, ENCRYPTION_KEYS } from '../support/test-app';
import { TestCluster } from '../support/redis-cluster';
import { TestSentinel } from '../support/redis-sentinel';
import { sql } from './accounts';
import { CONSOLE_TOKEN } from './service';
import { Stage } from './stage';
import { temporaryFolder } from '../support/servers';

const SECRET = 'tell-nobody';
/** A port that nothing listens on, because only root may bind it. */
const NOBODY = 1;

describe('a start', () => {
  const stage = new Stage();
  let databaseUrl: string;
  let taken: Server;

  beforeAll(async () => {
    databaseUrl = (await createTestDatabase()).url;
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void taken.close());
  afterEach(() => stage.clear());

  /** The output of a start that must fail. */
  async function refusal(env: Record<string, string>): Promise<string> {
    const service = await stage.launch({
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      CONSOLE_TOKEN,
      ENCRYPTION_KEYS,
      ...env,
    });
    expect(await service.ended()).toEqual({ code: 1, signal: null });
    expect(service.output).not.toContain(SECRET);
    expect(service.output).toContain('Waypost cannot start.');
    return service.output;
  }

  it('with bad settings exits with 1 and names every one of them, but no secret', async () => {
    const bad = {
      ROLE: 'boss',
      PORT: '70000',
      BASE_URL: 'api.example.com',
      SHORT_URL_BASE: 'https://go.example.com/path',
      DATABASE_URL: `mysql://waypost:${SECRET}@127.0.0.1/waypost`,
      DATABASE_DIRECT_URL: `mysql://waypost:${SECRET}@127.0.0.1/waypost`,
      DATABASE_PREPARED: 'sometimes',
      DATABASE_POOL: '0',
      REDIS_URL: `http://:${SECRET}@127.0.0.1:6379`,
      REDIS_PREFIX: 'a prefix',
      CONSOLE_TOKEN: SECRET,
      ENCRYPTION_KEYS: `k1:${SECRET}`,
      LOG_LEVEL: 'loud',
      OUTBOUND_ALLOW_PRIVATE: 'perhaps',
      REDIRECT_CACHE_ENTRIES: '-1',
      CLICK_STREAM_SHARDS: '1.5',
      OPERATIONS_PORT: '65536',
      REDIRECT_LOG: '1.1',
      CLICK_BATCH: 'many',
      DEMO_CLICKS: '0',
    };
    const output = await refusal(bad);
    for (const name of Object.keys(bad)) expect(output).toMatch(new RegExp(`^${name}: .`, 'm'));
    expect(output).toMatch(/^CLICK_STREAM_SHARDS: must be a whole number$/m);
    expect(output).toMatch(/^DATABASE_POOL: must be at least 2$/m);
  });

  it.each([
    ['TRUST_PROXY', { TRUST_PROXY: 'somebody' }],
    ['GEOIP_DATABASE', { GEOIP_DATABASE: '/nowhere.mmdb' }],
    ['DESTINATION_DENY_LIST', { DESTINATION_DENY_LIST: '/nowhere.txt' }],
    ['ENCRYPTION_KEYS', { ENCRYPTION_KEYS: '' }],
    ['ROLE', { ROLE: 'web' }],
    ['ROLE', { ROLE: 'worker' }],
    ['CONSOLE_TOKEN', { CONSOLE_TOKEN: 'a token with spaces in it' }],
    ['CONSOLE_TOKEN', { CONSOLE_TOKEN: 'é'.repeat(30) }],
    ['HOST', { HOST: '192.0.2.1' }],
    ['OPERATIONS_HOST', { OPERATIONS_HOST: '192.0.2.1', OPERATIONS_PORT: '0' }],
    ['OPERATIONS_HOST', { OPERATIONS_HOST: '127.0.0.1' }],
    ['OPERATIONS_PORT', { OPERATIONS_PORT: '9999', PORT: '9999' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null/data', DATABASE_URL: '' }],
    ['DATABASE_URL', { DATABASE_URL: `postgres://waypost:${SECRET}@127.0.0.1:${NOBODY}/waypost` }],
  ])('with an unusable %s exits with 1 and names it', async (name, env) => {
    expect(await refusal(env)).toMatch(new RegExp(`^${name}: .`, 'm'));
  });

  it('on a port in use exits with 1 and names it, before anything is started', async () => {
    const { port } = taken.address() as { port: number };
    expect(await refusal({ PORT: String(port) })).toMatch(/^PORT: .*EADDRINUSE/m);
    expect(await refusal({ OPERATIONS_PORT: String(port) })).toMatch(/^OPERATIONS_PORT: .*EADDRINUSE/m);
    const dataDir = temporaryFolder('untouched');
    expect(await refusal({ PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '' })).toMatch(/^PORT: /m);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('accepts no connection before it can answer: earlier ones are refused, not reset', async () => {
    const service = await stage.launch({
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      CONSOLE_TOKEN,
      ENCRYPTION_KEYS,
    });
    const outcomes = new Set<string>();
    let started = false;
    const starting = service.ready().finally(() => (started = true));
    const retry = async () => {
      while (!started) {
        outcomes.add(await connecting(service.port));
        await nextTurn();
      }
    };
    await Promise.all([starting, ...Array.from({ length: 4 }, retry)]);
    outcomes.add(await connecting(service.port));
    expect([...outcomes].sort()).toEqual(['ECONNREFUSED', 'connected']);
    // The level is info: it logs that it is ready, its version, role, port and stores, and nothing else.
    const ready = `"version":"\\d+\\.\\d+\\.\\d+","role":"all","port":${service.port},"stores":\\["Postgres"\\],"msg":"ready"}\n$`;
    await eventually(async () => expect(service.output).toMatch(new RegExp(ready)));
    expect(service.output.trim().split('\n')).toHaveLength(1);
  });

  it('on a data folder in use prints where the other process runs', async () => {
    const first = await stage.service({ DATABASE_URL: '' });
    const output = await refusal({ DATABASE_URL: '', DATA_DIR: first.dataDir });
    expect(output).toContain(`DATA_DIR: Waypost is already running on ${first.dataDir}, at ${first.url}\n`);
    expect(output).not.toMatch(/DATABASE_URL|REDIS_URL/);
    expect(await first.stop()).toEqual({ code: 0, signal: null });
  });

  it.each([
    ['the password is wrong', { password: SECRET }, 'password authentication failed for user "waypost"'],
    ['it is the primary itself', {}, 'the server is no standby'],
  ])('with a replica of which %s logs it and starts', async (_, changes, cause) => {
    const replica = Object.assign(new URL(databaseUrl), changes);
    const service = await stage.service({ DATABASE_URL: databaseUrl, DATABASE_REPLICA_URL: replica.href });
    expect(service.output).toContain(
      `DATABASE_REPLICA_URL: The replica cannot be read (${cause}). Waypost starts without it, and `,
    );
    expect(service.output).not.toContain(SECRET);
    // The start has said it.
    expect(service.output.match(/replica cannot be read/gi)).toHaveLength(1);
  });

  it('with a password that Redis refuses exits with 1 and names REDIS_URL', async () => {
    const redis = await stage.redis();
    const redisUrl = redis.url.replace('redis://', `redis://somebody:${SECRET}@`);
    expect(await refusal({ REDIS_URL: redisUrl })).toMatch(/^REDIS_URL: WRONGPASS/m);
  });

  it('never uses database 0 in place of one that a Redis which comes later does not have', async () => {
    const redis = await stage.redis();
    await redis.stop('SIGKILL');
    const service = await stage.service({ DATABASE_URL: databaseUrl, REDIS_URL: `${redis.url}/99` });
    expect(service.output).toMatch(
      /^REDIS_URL: Redis does not respond \(.*ECONNREFUSED.*\)\. Waypost starts/m,
    );
    await redis.restart();
    const client = await stage.client(redis.url);
    await eventually(async () => {
      const [, calls] = /^cmdstat_select:calls=(\d+)/m.exec(await client.info('commandstats')) ?? [];
      expect(Number(calls)).toBeGreaterThan(20);
    });
    expect(await client.keys('*')).toEqual([]);
  });

  it('with a Redis of another kind than REDIS_URL says, or without its database, is refused with the reason', async () => {
    const sentinel = await TestSentinel.start();
    stage.ending(() => sentinel.end());
    const cluster = await TestCluster.start(1, 0);
    stage.ending(() => cluster.end());
    const [master, replica] = sentinel.servers;
    const hostOf = (url: string) => url.slice('redis://'.length);
    const noDatabase = 'Redis refuses database 99 (ERR DB index is out of range)';
    for (const [url, reason] of [
      [`${master.url}/99`, noDatabase],
      [`${sentinel.url}?db=99`, noDatabase],
      [cluster.nodes[0]?.url ?? '', 'this is a node of a cluster. Write redis-cluster://'],
      [sentinel.ownUrl, 'this is a Sentinel. Write redis-sentinel://'],
      [replica.url, 'this is a replica, which takes no writes'],
      [`redis-cluster://${hostOf(master.url)}`, 'is no node of a cluster. Write redis://'],
      [
        `redis-cluster://${hostOf(sentinel.ownUrl)}`,
        'this is a Sentinel. Write redis-sentinel://host,host/name',
      ],
      [`redis-sentinel://${hostOf(master.url)}/mymaster`, 'is no Sentinel, but a Redis'],
      [`redis-sentinel://${hostOf(sentinel.ownUrl)}/another`, 'knows no master of this name'],
    ] as const) {
      const refused = (await reportRedis(url).catch((error: unknown) => error)) as Error;
      expect(refused).toBeInstanceOf(InvalidConfiguration);
      expect(refused.message).toMatch(/^REDIS_URL: /);
      expect(refused.message).toContain(reason);
    }
  });

  it('as a user that does not own the tables is refused', async () => {
    const user = `guest_${process.pid}`;
    await sql(
      databaseUrl,
      `CREATE ROLE ${user} LOGIN PASSWORD '${SECRET}';
       GRANT ALL ON ALL TABLES IN SCHEMA public TO ${user};
       GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${user}`,
    );
    const url = new URL(databaseUrl);
    url.username = user;
    url.password = SECRET;
    try {
      const output = await refusal({ DATABASE_URL: url.href });
      expect(output).toContain(`\nThe database user ${user} must own the tables`);
    } finally {
      await sql(databaseUrl, `DROP OWNED BY ${user}; DROP ROLE ${user}`);
    }
  });

  it('without REDIS_URL is refused while another process uses the database, with or without', async () => {
    const redis = await stage.redis();
    const first = await stage.service({ DATABASE_URL: databaseUrl });
    expect(await refusal({})).toMatch(/^DATABASE_URL: another process uses this database\. Set REDIS_URL/m);
    expect(await refusal({ REDIS_URL: redis.url })).toMatch(/^DATABASE_URL: another process/m);
    await first.kill();
    await stage.service({ DATABASE_URL: databaseUrl, REDIS_URL: redis.url });
    expect(await refusal({})).toMatch(/^DATABASE_URL: another process/m);
  });

  it('that is stopped before it is complete exits with 0, and leaves no Postgres behind', async () => {
    const service = await stage.launch({ HOST: '127.0.0.1' });
    const lockFile = join(service.dataDir, 'postgres/postmaster.pid');
    await eventually(async () => expect(existsSync(lockFile)).toBe(true));
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(existsSync(lockFile)).toBe(false);
  });
});

/** The outcome of a connection: an error code, 'connected', or 'ended' when it was accepted and then closed. */
function connecting(port: number): Promise<string> {
  // From another address, because a connection from the port to itself would occupy it.
  const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.2' });
  return new Promise<string>((resolve) => {
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'no code'));
    socket.once('close', () => resolve('ended'));
    socket.once('connect', () => setTimeout(() => resolve('connected'), 20));
    socket.resume();
  }).finally(() => socket.destroy());
}
