import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { checkCluster } from '../../src/infrastructure/database/citus/cluster-check';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { migrate } from '../../src/infrastructure/database/migrate';
import { NOTHING_TO_MOVE } from '../../src/infrastructure/database/citus/distribute';
import { PLACEMENTS } from '../../src/infrastructure/database/citus/placement';
import { findDatabase } from '../../src/start/find-database';
import { addCitusWorker, createCitusDatabase, distributeDatabase } from '../support/citus';
import { eventually } from '../support/eventually';
import { dropLater, nodesOf, onEachNode, onNode } from '../support/test-databases';

describe('npm run distribute', () => {
  const ends: (() => Promise<void>)[] = [];
  /** Distributed by the first test that moves rows, and undistributed until then. */
  let shared: string;
  beforeAll(async () => {
    shared = await createFilledDatabase();
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  it('says what a database lacks, before it changes anything', async () => {
    const name = newName();
    await onEachNode('postgres', `CREATE DATABASE ${name}`);
    const [url = '', ...workers] = nodesOf(name);
    await expect(distributeDatabase(url)).rejects.toThrow('CREATE EXTENSION citus');
    await onEachNode(name, 'CREATE EXTENSION citus');
    await expect(distributeDatabase(url)).rejects.toThrow('citus_set_coordinator_host');
    await onNode(url, `SELECT citus_set_coordinator_host('127.0.0.1', ${new URL(url).port})`);
    await expect(distributeDatabase(url)).rejects.toThrow('The cluster has no workers');
    for (const worker of workers) {
      await onNode(url, `SELECT citus_add_node('127.0.0.1', ${new URL(worker).port})`);
    }
    await expect(distributeDatabase(url)).rejects.toThrow('npm run migrate comes first');
  });

  it('says which node does not answer', async () => {
    const url = await createFilledDatabase();
    const worker = await addCitusWorker(url, (end) => ends.push(end));
    await worker.stop();
    await expect(distributeDatabase(url)).rejects.toThrow(
      `The node 127.0.0.1:${worker.port} does not answer: `,
    );
    await using database = await connect(url);
    expect(await placed(database.source)).toEqual([]);
    expect(await settingsOf(database.source)).toEqual([]);
  });

  it('says that rows would stay locked for too long', async () => {
    await using database = await connect(shared);
    const runner = database.source.createQueryRunner();
    const query = runner.query.bind(runner) as (statement: string) => Promise<unknown>;
    jest
      .spyOn(runner, 'query')
      .mockImplementation((statement) =>
        statement.includes('recover_2pc_interval') ? Promise.resolve([{ ms: 60_000 }]) : query(statement),
      );
    await expect(checkCluster(database.source, runner)).rejects.toThrow(
      'citus.recover_2pc_interval is too long: ALTER SYSTEM SET citus.recover_2pc_interval = ',
    );
    await runner.release();
  });

  it('needs a superuser', async () => {
    const name = newName();
    const database = new URL(shared).pathname.slice(1);
    await onNode(shared, `CREATE ROLE ${name} LOGIN`, `ALTER DATABASE ${database} OWNER TO ${name}`);
    const ordinary = new URL(shared);
    ordinary.username = name;
    await expect(distributeDatabase(ordinary.href)).rejects.toThrow('npm run distribute needs a superuser');
    await using own = await connect(shared);
    expect(await settingsOf(own.source)).toEqual([]);
  });

  it('moves every row to its node, and has nothing to move the next time', async () => {
    await using database = await connect(shared);
    const { source } = database;
    const before = await countRows(source);
    const lines = await distributeDatabase(shared);
    expect(lines).toEqual(
      expect.arrayContaining([
        'addresses: by address',
        'links: by organization_id',
        'organizations: on every node',
      ]),
    );
    expect(await countRows(source)).toEqual(before);
    expect(before).toMatchObject({ links: 300, link_health: 300, contacts: 60, contact_changes: 60 });
    const expected = [...PLACEMENTS].filter(([, placement]) => placement !== 'local');
    expect(await placed(source)).toEqual(expected.map(([table]) => table).toSorted());
    expect(await leftOnCoordinator(source)).toEqual([]);

    await addContacts(source, 61, 90);
    expect(
      await source.query(`SELECT sum(contacts)::int AS contacts, count(DISTINCT organization_id)::int AS organizations
                            FROM contact_counts`),
    ).toEqual([{ contacts: 90, organizations: 3 }]);
    await source.query(
      `INSERT INTO contact_groups (organization_id, name, is_default, created_at, updated_at)
       VALUES (1, 'later', false, now(), now())`,
    );
    expect(await source.query(`SELECT id FROM contact_groups WHERE name = 'later'`)).toEqual([{ id: 4 }]);
    expect(await distributeDatabase(shared)).toEqual([NOTHING_TO_MOVE]);
    expect(await countRows(source)).toMatchObject({ contacts: 90, links: 300 });
  });

  it('leaves no foreign keys by which organizations would wait for each other', async () => {
    await distributeDatabase(shared);
    const add = (organizationId: number) =>
      `INSERT INTO add_ons (organization_id, code, created_at) VALUES (${organizationId}, 'MESSAGING', now())`;
    await using database = await connect(shared);
    await database.source.transaction(async (manager) => {
      await manager.query(add(1));
      await onNode(shared, `SET statement_timeout = '10s'`, add(2));
    });
    expect(await countRows(database.source)).toMatchObject({ add_ons: 2 });
  });

  it('makes a start with a replica of the coordinator fail', async () => {
    const url = await createCitusDatabase(newName());
    const started = findDatabase(url, {
      databaseDirectUrl: undefined,
      databaseReplicaUrl: url,
      databasePrepared: 'auto',
    });
    await expect(started).rejects.toThrow(
      'DATABASE_REPLICA_URL: must not be set with Citus, because a replica of the coordinator has no rows of other nodes',
    );
  });

  it('lets others read, and has their writes wait', async () => {
    const url = await createFilledDatabase();
    await using reader = await session(url);
    await using writer = await session(url);
    await reader.client.query(`SET lock_timeout = '1s'`);
    let ended = false;
    const repeat = async (round: (n: number) => Promise<void>) => {
      let rounds = 0;
      while (!ended) await round(rounds++);
      return rounds;
    };
    const [, reads, writes] = await Promise.all([
      distributeDatabase(url).finally(() => {
        ended = true;
      }),
      repeat(async () => {
        await unlessPlannedAtTheEnd(reader.client.query('SELECT FROM links WHERE organization_id = 1'));
      }),
      repeat(async (n) => {
        await writer.client.query({
          name: 'add',
          text: `INSERT INTO links (organization_id, code, original_url, created_at, updated_at)
                 VALUES (1, $1, 'https://example.com/', now(), now())`,
          values: [`w${n}`],
        });
      }),
    ]);
    expect(reads).toBeGreaterThan(5);
    const counts = await reader.client.query<{ n: number }>('SELECT count(*)::int AS n FROM links');
    expect(counts.rows).toEqual([{ n: 300 + writes }]);
  });

  it('begins anew after it was killed', async () => {
    const url = await createFilledDatabase();
    await using database = await connect(url);
    const { source } = database;
    const before = await countRows(source);
    const killed = expect(distributeDatabase(url)).rejects.toThrow(/terminat/);
    await eventually(async () => {
      const ended = await source.query<unknown[]>(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query ~ 'create_distributed_table' AND pid <> pg_backend_pid()`,
      );
      expect(ended).toHaveLength(1);
    });
    await killed;
    expect(await placed(source)).toEqual([]);
    expect(await countRows(source)).toEqual(before);
    await distributeDatabase(url);
    expect(await countRows(source)).toEqual(before);
    expect(await leftOnCoordinator(source)).toEqual([]);
  });
});

function newName(): string {
  const name = `wp_test_${randomBytes(6).toString('hex')}`;
  dropLater(name);
  return name;
}

async function connect(url: string) {
  const source = await connectDataSource({ url }, 2);
  return { source, [Symbol.asyncDispose]: () => source.destroy() };
}

async function session(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

/** Ignores the failure of a read that was planned before the tables moved and runs afterwards: docs/scaling.md#citus */
async function unlessPlannedAtTheEnd(read: Promise<unknown>): Promise<void> {
  await read.catch((error: unknown) => {
    if (!String(error).includes('cannot perform distributed planning')) throw error;
  });
}

/** An installation of one Postgres, with three organizations. */
async function createFilledDatabase(): Promise<string> {
  const url = await createCitusDatabase(newName());
  await using database = await connect(url);
  const { source } = database;
  await migrate(source);
  await source.query(
    `INSERT INTO organizations (name, time_zone, base_currency, default_region, plan, created_at, updated_at)
     SELECT 'Acme', 'UTC', 'USD', 'US', 'PRO', now(), now() FROM generate_series(1, 3)`,
  );
  await source.query(
    `INSERT INTO contact_groups (organization_id, name, is_default, created_at, updated_at)
     SELECT id, 'all', true, now(), now() FROM organizations`,
  );
  await source.query(
    `INSERT INTO links (organization_id, code, original_url, created_at, updated_at)
     SELECT 1 + n % 3, 'c' || n, 'https://example.com/' || n, now(), now() FROM generate_series(1, 300) AS n`,
  );
  await addContacts(source, 1, 60);
  return url;
}

async function addContacts(source: DataSource, first: number, last: number): Promise<void> {
  await source.query(
    `INSERT INTO contacts (organization_id, id, origin, push_opt_in, created_at, updated_at)
     SELECT 1 + n % 3, n, 'API', n % 2 = 0, now(), now() FROM generate_series($1::int, $2::int) AS n`,
    [first, last],
  );
}

/** Rows of each table that has some. */
async function countRows(source: DataSource): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of PLACEMENTS.keys()) {
    const [row] = await source.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${table}`);
    if (row && row.n > 0) counts[table] = row.n;
  }
  return counts;
}

/** Settings of the database. */
async function settingsOf(source: DataSource): Promise<unknown[]> {
  return source.query<unknown[]>(
    `SELECT setconfig FROM pg_db_role_setting AS s JOIN pg_database AS d ON d.oid = s.setdatabase
      WHERE d.datname = current_database()`,
  );
}

async function placed(source: DataSource): Promise<string[]> {
  const tables = await source.query<{ name: string }[]>(
    `SELECT logicalrelid::text AS name FROM pg_dist_partition AS p JOIN pg_class AS c ON c.oid = p.logicalrelid
      WHERE NOT c.relispartition ORDER BY name`,
  );
  return tables.map(({ name }) => name).toSorted();
}

/** Distributed tables whose rows are still in the coordinator's own. */
async function leftOnCoordinator(source: DataSource): Promise<unknown[]> {
  return source.query<unknown[]>(
    `SELECT logicalrelid::text FROM pg_dist_partition WHERE partmethod = 'h' AND pg_relation_size(logicalrelid) > 0`,
  );
}
