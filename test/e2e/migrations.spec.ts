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

  it('run in one of several processes that start at once, the others waiting', async () => {
    const { url } = await createTestDatabase();
    const dataSources = await Promise.all([1, 2, 3].map(() => connectDataSource({ url }, 3)));
    const [first] = dataSources;
    if (!first) throw new Error('No connection');
    const { length } = first.migrations;
    for (let left = length; left > 0; left--) await first.undoLastMigration({ transaction: 'each' });
    await Promise.all(dataSources.map((dataSource) => migrate(dataSource)));
    expect(await first.query('SELECT name FROM migrations')).toHaveLength(length);
    await Promise.all(dataSources.map((dataSource) => dataSource.destroy()));
  });

  it('refuse a database of an unreleased build, and run on with one that a newer version has migrated', async () => {
    const { url } = await createTestDatabase();
    const dataSource = await connectDataSource({ url }, 2);
    const add = (timestamp: number, name: string) =>
      dataSource.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [timestamp, name]);
    await add(9_999_999_999_999, 'Notes9999999999999');
    await migrate(dataSource);
    await add(1_700_000_000_100, 'Access1700000000100');
    await expect(migrate(dataSource)).rejects.toThrow(
      'The database was made by an unreleased build of Waypost (Access1700000000100). Nothing was changed.',
    );
    await dataSource.destroy();
  });
});
