import { probe } from '../../src/infrastructure/database/pooler-probe';
import { within } from '../support/eventually';
import { PgBouncer } from '../support/pgbouncer';
import { createTestDatabase, ENCRYPTION_KEYS } from '../support/test-app';
import { expectCounted, sql } from './accounts';
import { Customer } from './customer';
import { Service } from './service';
import { links, Stage } from './stage';

describe('PgBouncer in transaction mode', () => {
  const stage = new Stage();
  let directUrl: string;

  beforeAll(async () => {
    directUrl = await stage.database();
  });
  const poolers: PgBouncer[] = [];
  afterEach(async () => {
    await stage.clear();
    for (const bouncer of poolers.splice(0)) await bouncer.stop();
  });

  /** @param settings of pgbouncer.ini */
  async function pooler(settings?: Record<string, string>): Promise<{ bouncer: PgBouncer; url: string }> {
    const bouncer = await PgBouncer.start(directUrl, settings);
    poolers.push(bouncer);
    return { bouncer, url: bouncer.through(directUrl) };
  }

  /** What a start that must fail prints, without its first line. */
  async function refusal(env: Record<string, string>): Promise<string> {
    const service = await Service.launch({ HOST: '127.0.0.1', ENCRYPTION_KEYS, ...env });
    expect((await service.ended()).code).toBe(1);
    const [first, ...rest] = service.output.split('\n');
    expect(first).toBe('Waypost cannot start.');
    return rest.join('\n');
  }

  it('is refused without a way past it', async () => {
    const { url } = await pooler();
    expect(await refusal({ DATABASE_URL: url })).toBe(
      'DATABASE_DIRECT_URL: must be set, because DATABASE_URL leads through a connection pooler; migrations, locks ' +
        'and LISTEN need PostgreSQL itself\n',
    );
    expect(await refusal({ DATABASE_URL: url, DATABASE_DIRECT_URL: url })).toBe(
      'DATABASE_DIRECT_URL: leads through a connection pooler; it must lead to PostgreSQL itself\n',
    );
  });

  it('is refused if the direct URL leads elsewhere, or nowhere', async () => {
    const { url } = await pooler();
    const { url: other } = await createTestDatabase();
    expect(await refusal({ DATABASE_URL: url, DATABASE_DIRECT_URL: other })).toBe(
      'DATABASE_DIRECT_URL: leads to another database than DATABASE_URL\n',
    );
    const nowhere = 'postgres://waypost:secret@127.0.0.1:9/waypost';
    expect(await refusal({ DATABASE_URL: url, DATABASE_DIRECT_URL: nowhere })).toMatch(
      /^DATABASE_DIRECT_URL: connect ECONNREFUSED 127\.0\.0\.1:9\n$/,
    );
    expect(await refusal({ DATABASE_DIRECT_URL: directUrl })).toBe(
      'DATABASE_DIRECT_URL: needs DATABASE_URL\n',
    );
  });

  it('is refused in front of a replica, as is one of another database, or of none', async () => {
    const { url } = await pooler();
    expect(await refusal({ DATABASE_URL: directUrl, DATABASE_REPLICA_URL: url })).toBe(
      'DATABASE_REPLICA_URL: leads through a connection pooler; it must lead to PostgreSQL itself\n',
    );
    const { url: other } = await createTestDatabase();
    expect(await refusal({ DATABASE_URL: directUrl, DATABASE_REPLICA_URL: other })).toBe(
      'DATABASE_REPLICA_URL: leads to another database than DATABASE_URL\n',
    );
    expect(await refusal({ DATABASE_URL: directUrl, DATABASE_REPLICA_URL: 'postgres://a,b/waypost' })).toBe(
      'DATABASE_REPLICA_URL: must have a single host\n',
    );
    expect(await refusal({ DATABASE_REPLICA_URL: directUrl })).toBe(
      'DATABASE_REPLICA_URL: needs DATABASE_URL\n',
    );
  });

  it('is refused without limits of statements, and with prepared statements that it does not carry', async () => {
    for (const [connectQuery, missing] of [
      ['', 'statement_timeout'],
      ['SET statement_timeout = 30000', 'idle_in_transaction_session_timeout'],
    ] as const) {
      const limitless = await pooler({ connectQuery });
      expect(await refusal({ DATABASE_URL: limitless.url, DATABASE_DIRECT_URL: directUrl })).toBe(
        `DATABASE_URL: the pooler sets no ${missing}. In Postgres, run: ${alterRole(directUrl)} ` +
          "and let the pooler connect anew. Or, in pgbouncer.ini, add connect_query='SET statement_timeout = 30000; SET idle_in_transaction_session_timeout = 300000' " +
          'to the line of the database\n',
      );
    }
    const { url } = await pooler();
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_PREPARED: 'true' };
    expect(await refusal(env)).toBe(
      'DATABASE_PREPARED: the pooler does not carry named prepared statements; PgBouncer does from 1.21 on, ' +
        'with max_prepared_statements above 0\n',
    );
  });

  it('is seen to carry no prepared statements by many processes that start at once', async () => {
    for (let round = 0; round < 20; round++) {
      const { url } = await pooler({ default_pool_size: '3' });
      const probed = await Promise.all(Array.from({ length: 6 }, () => probe(url)));
      expect(probed.filter(({ named }) => named)).toEqual([]);
    }
  });

  it('serves without a connect_query once the role has the limits that the refusal names', async () => {
    const database = new URL(directUrl).pathname.slice(1);
    await sql(directUrl, alterRole(directUrl).replaceAll(' SET ', ` IN DATABASE "${database}" SET `));
    const { url } = await pooler({ connectQuery: '' });
    const service = await stage.service({ DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl });
    expect(await links(service, 1)).toHaveLength(1);
    await sql(directUrl, `ALTER ROLE "${roleOf(directUrl)}" IN DATABASE "${database}" RESET ALL`);
  });

  it('serves two processes on few connections, is killed, and every click counts', async () => {
    const { bouncer, url } = await pooler({ default_pool_size: '4' });
    const redis = await stage.redis();
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, REDIS_URL: redis.url };
    const services = [await stage.service(env), await stage.service(env)] as const;
    const customer = await Customer.create(services[0].url);
    const made = await Promise.all(
      services.flatMap(({ url: at }) =>
        Array.from({ length: 10 }, () => customer.createLinks(at, 10).then((each) => each.length)),
      ),
    );
    expect(made.reduce((sum, each) => sum + each, 0)).toBe(200);

    const load = stage.load({ ports: services.map(({ port }) => port), links: await links(services[0]) });
    await load.warm();
    await bouncer.kill();
    expect((await fetch(`${services[0].url}/health/ready`)).status).toBe(200);
    bouncer.restart();
    await within(5, () => customer.createLinks(services[1].url, 1));
    await load.stop();
    expect(load.failures).toEqual([]);
    await expectCounted(load, {
      databaseUrl: directUrl,
      redisUrl: redis.url,
      dataDirs: services.map(({ dataDir }) => dataDir),
    });
    expect(await sql(directUrl, LEFT_LOCKS)).toEqual([]);
  });
});

function roleOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

function alterRole(url: string): string {
  const alter = `ALTER ROLE "${roleOf(url)}" SET`;
  return `${alter} statement_timeout = '30s'; ${alter} idle_in_transaction_session_timeout = '5min';`;
}

/** Locks that last longer than their transaction, besides those of processes. */
const LEFT_LOCKS = `
  SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
   WHERE l.locktype = 'advisory' AND a.datname = current_database()
     AND a.application_name <> 'waypost lock'`;
