import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { createTestDatabase } from '../support/test-app';

/** Every column, constraint and index that is there, in words. */
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
  it('can each be taken back, and end where they began when they run again', async () => {
    const { url } = await createTestDatabase();
    const dataSource = await connectDataSource(url, 2);
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
});
