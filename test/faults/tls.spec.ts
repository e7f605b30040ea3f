import { CERTIFICATE, type Certificate, LOCALHOST_CERTIFICATE } from '../support/certificate';
import { eventually } from '../support/eventually';
import { startPostgres15 } from '../support/postgres-15';
import { TestCluster } from '../support/redis-cluster';
import { TestSentinel } from '../support/redis-sentinel';
import { RedisServer, writeCertificate } from '../support/servers';
import { ENCRYPTION_KEYS } from '../support/test-app';
import { sql } from './accounts';
import { Customer, visit } from './customer';
import type { Service } from './service';
import { Stage } from './stage';

const { cert: TRUSTED } = writeCertificate(LOCALHOST_CERTIFICATE);
const TRUST = { NODE_EXTRA_CA_CERTS: TRUSTED };

/** Certificates that the service must not trust: whose they are, with which settings, and the reason that it gives. */
const OF_ANOTHER_HOST = [
  'another host',
  CERTIFICATE,
  { NODE_EXTRA_CA_CERTS: writeCertificate(CERTIFICATE).cert },
  "Hostname/IP does not match certificate's altnames",
] as const;
const NOT_TRUSTED = [
  ['an unknown issuer', LOCALHOST_CERTIFICATE, {}, 'self-signed certificate'],
  OF_ANOTHER_HOST,
] as const;

/** Connections of the service that are in clear. */
const IN_CLEAR = `
  SELECT application_name FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
   WHERE application_name LIKE 'waypost%' AND NOT ssl`;

describe('TLS to the stores', () => {
  const stage = new Stage();
  let databaseUrl: string;

  beforeAll(async () => {
    databaseUrl = await stage.database();
  });
  afterEach(() => stage.clear());

  /** A single Redis. @returns its address with TLS and, for the test, those of its servers without */
  async function single(certificate: Certificate = LOCALHOST_CERTIFICATE) {
    const redis = await RedisServer.start([], certificate);
    stage.ending(() => redis.end());
    return { url: `rediss://localhost:${redis.tlsPort}`, servers: [redis.url] };
  }

  async function sentinel() {
    const started = await TestSentinel.start(LOCALHOST_CERTIFICATE);
    stage.ending(() => started.end());
    return { url: started.tlsUrl, servers: [(await started.master()).url] };
  }

  async function cluster() {
    const started = await TestCluster.start(3, 0, [], LOCALHOST_CERTIFICATE);
    stage.ending(() => started.end());
    return { url: started.tlsUrl, servers: started.nodes.map(({ url }) => url) };
  }

  /** @returns a service whose output says nothing of Redis but why it does not respond */
  async function unserved(url: string, env: Record<string, string>): Promise<Service> {
    const service = await stage.service({ DATABASE_URL: databaseUrl, REDIS_URL: url, ...env });
    expect(service.output).toContain('Waypost starts without it, and uses it once it responds.');
    return service;
  }

  it.each([
    ['rediss://', single],
    ['redis-sentinel://…?tls=true', sentinel],
    ['redis-cluster://…?tls=true', cluster],
  ] as const)('of %s counts a click, and needs a certificate that is known', async (_, start) => {
    const { url, servers } = await start();
    const service = await stage.service({ DATABASE_URL: databaseUrl, REDIS_URL: url, ...TRUST });
    expect(service.output).not.toContain('Redis does not respond');
    await eventually(async () => {
      const ready = await fetch(`${service.url}/health/ready`);
      expect(await ready.json()).toMatchObject({ details: { redis: { status: 'up' } } });
    });
    await countOne(service);
    const commands = await Promise.all(
      servers.map(async (each) => (await stage.client(each)).info('commandstats')),
    );
    expect(commands.join()).toContain('cmdstat_xadd');
    await service.kill();
    expect((await unserved(url, {})).output).toContain(
      'REDIS_URL: Redis does not respond (self-signed certificate',
    );
  });

  it('does without a Redis with a certificate of another host, and says so', async () => {
    const [, certificate, env, reason] = OF_ANOTHER_HOST;
    const { url, servers } = await single(certificate);
    const service = await unserved(url, env);
    expect(service.output).toContain(`REDIS_URL: Redis does not respond (${reason}`);
    await countOne(service);
    const client = await stage.client(servers[0] ?? '');
    expect(await client.info('commandstats')).not.toContain('cmdstat_xadd');
  });

  it('of sslmode=verify-full holds for every connection to Postgres', async () => {
    const server = await startPostgres15({}, LOCALHOST_CERTIFICATE);
    stage.ending(() => server.stop());
    const { port } = new URL(server.url);
    // As with standbys, of which one is away.
    const url = `postgres://waypost@localhost:1,localhost:${port}/postgres?sslmode=verify-full`;
    const redis = await stage.redis();
    for (const [address, env] of [
      [url, TRUST],
      [`${url}&sslrootcert=${TRUSTED}`, {}],
    ] as const) {
      const service = await stage.service({ DATABASE_URL: address, REDIS_URL: redis.url, ...env });
      await countOne(service);
      expect(await sql(server.url, IN_CLEAR)).toEqual([]);
      await service.kill();
    }
  });

  it.each([
    ...NOT_TRUSTED,
    ['nobody', undefined, {}, 'The server does not support SSL connections'],
  ] as const)('ends a start on a Postgres with a certificate of %s', async (_, certificate, env, reason) => {
    const server = await startPostgres15({}, certificate);
    stage.ending(() => server.stop());
    const { port } = new URL(server.url);
    const service = await stage.launch({
      HOST: '127.0.0.1',
      DATABASE_URL: `postgres://waypost@localhost:${port}/postgres?sslmode=verify-full`,
      ENCRYPTION_KEYS,
      ...env,
    });
    expect(await service.ended()).toEqual({ code: 1, signal: null });
    expect(service.output).toContain(`Waypost cannot start.\nDATABASE_URL: ${reason}`);
  });
});

/** Visits a link of a new customer, and waits until the click is counted. */
async function countOne(service: Service): Promise<void> {
  const customer = await Customer.create(service.url);
  const link = await customer.createLink(service.url);
  expect(await visit(service.url, link, '198.51.100.7')).toBe(302);
  await eventually(async () => expect(await customer.clickCount(service.url, link)).toBe(1));
}
