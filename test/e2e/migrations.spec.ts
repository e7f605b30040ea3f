import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { migrate } from '../../src/infrastructure/database/migrate';
import { createTestDatabase } from '../support/test-app';

/** Every column, constraint and index, as text. */
const SCHEMA = `
  SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
    FROM information_schema.columns WHERE table_schema = 'public'
   UNION ALL
  SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
   WHERE connamespace = 'public'::regnamespace
   UNION ALL
  SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
   ORDER BY 1`;

describe('migrations', () => {
  it('can each be reverted, and run again with the same result', async () => {
    const { url } = await createTestDatabase();
    const dataSource = await connectDataSource({ url }, 2);
    const lines = async () => (await dataSource.query<{ line: string }[]>(SCHEMA)).map((row) => row.line);
    const before = await lines();
    for (let left = dataSource.migrations.length; left > 0; left--) {
      await dataSource.undoLastMigration({ transaction: 'each' });
    }
    const remaining = await lines();
    expect(remaining.filter((line) => !/\bmigrations/.test(line))).toEqual([]);
    await dataSource.runMigrations({ transaction: 'each' });
    expect(await lines()).toEqual(before);
    expect(before.length).toBeGreaterThan(100);
    await dataSource.destroy();
  });

  it('let a new installation add up finished days at once, and an upgraded one after two days', async () => {
    const { url } = await createTestDatabase();
    const dataSource = await connectDataSource({ url }, 2);
    const waiting = () => dataSource.query<unknown[]>('SELECT FROM click_sums WHERE organization_id = 0');
    expect(await waiting()).toHaveLength(0);
    const isThere = async () =>
      (await dataSource.query<unknown[]>(`SELECT FROM pg_tables WHERE tablename = 'click_sums'`)).length > 0;
    while (await isThere()) await dataSource.undoLastMigration({ transaction: 'each' });
    await dataSource.query(
      `INSERT INTO organizations (name, time_zone, base_currency, default_region, plan, created_at, updated_at)
       VALUES ('Acme', 'UTC', 'USD', 'US', 'PRO', now(), now())`,
    );
    await dataSource.runMigrations({ transaction: 'each' });
    expect(await waiting()).toHaveLength(1);
    await dataSource.destroy();
  });

  it('run in one of several processes that start at once, the others waiting', async () => {
    const { url } = await createTestDatabase();
    const dataSources = await Promise.all([1, 2, 3].map(() => connectDataSource({ url }, 3)));
    const [first] = dataSources;
    if (!first) throw new Error('No connection');
    while (first.migrations.length > 0) {
      const [{ name } = { name: '' }] = await first.query<{ name: string }[]>(
        'SELECT name FROM migrations ORDER BY id DESC LIMIT 1',
      );
      await first.undoLastMigration({ transaction: 'each' });
      if (name === 'ExternalIds1700000009940') break;
    }
    await Promise.all(dataSources.map((dataSource) => migrate(dataSource)));
    const [{ count } = { count: 0 }] = await first.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM pg_index WHERE indexrelid::regclass::text LIKE '%_external_id_key' AND indisvalid`,
    );
    expect(count).toBe(2);
    await Promise.all(dataSources.map((dataSource) => dataSource.destroy()));
  });

  it('keep keys that upserts of the version before name, where there is one', async () => {
    const { url } = await createTestDatabase();
    const dataSource = await connectDataSource({ url }, 2);
    const upsert = (columns: string) =>
      dataSource.query(
        `INSERT INTO og_fetches (target_kind, target_id, organization_id, due_at)
         SELECT 1, 1, id, now() FROM organizations ON CONFLICT (${columns}) DO UPDATE SET due_at = now()`,
      );
    await expect(upsert('target_kind, target_id')).rejects.toThrow('ON CONFLICT');
    const holds = async () =>
      (await dataSource.query<unknown[]>(`SELECT FROM pg_class WHERE relname = 'webhook_endpoints_id_key'`))
        .length === 0;
    while (await holds()) await dataSource.undoLastMigration({ transaction: 'each' });
    await dataSource.query(
      `INSERT INTO organizations (name, time_zone, base_currency, default_region, plan, created_at, updated_at)
       VALUES ('Acme', 'UTC', 'USD', 'US', 'PRO', now(), now())`,
    );
    await dataSource.runMigrations({ transaction: 'each' });
    await upsert('target_kind, target_id');
    await upsert('target_kind, target_id, organization_id');
    while (await holds()) await dataSource.undoLastMigration({ transaction: 'each' });
    await upsert('target_kind, target_id');
    await dataSource.destroy();
  });

  it('add existing contacts to the change feed, before those that change later', async () => {
    const { url } = await createTestDatabase();
    const dataSource = await connectDataSource({ url }, 2);
    const isThere = async () =>
      (await dataSource.query<unknown[]>(`SELECT 1 FROM pg_tables WHERE tablename = 'contact_changes'`))
        .length;
    while ((await isThere()) > 0) await dataSource.undoLastMigration({ transaction: 'each' });
    await dataSource.query('ALTER TABLE contacts DROP CONSTRAINT contacts_organization_id_fkey');
    await dataSource.query(
      `INSERT INTO contacts (organization_id, id, origin, created_at, updated_at, deactivated_at)
       SELECT 1 + n % 2, n, 'API', now(), now(), CASE WHEN n % 100 = 0 THEN now() END
         FROM generate_series(1, 25000) AS n`,
    );
    await dataSource.runMigrations({ transaction: 'each' });
    await dataSource.query('UPDATE contacts SET updated_at = now() WHERE id = 7');
    const found = await dataSource.query<{ organization: number; n: number; last: number; max: number }[]>(
      `SELECT organization_id AS organization, count(*) AS n, max(position) AS max,
              (array_agg(contact_id ORDER BY position DESC))[1] AS last
         FROM contact_changes GROUP BY 1 ORDER BY 1`,
    );
    expect(found).toEqual([
      { organization: 1, n: 12_250, last: 24_998, max: 24_998 },
      { organization: 2, n: 12_500, last: 7, max: 25_000 },
    ]);
    await dataSource.destroy();
  });
});
