import { PLACEMENTS } from '../../src/infrastructure/database/citus/placement';
import { useTestApp } from '../support/test-app';

describe('placement of tables with Citus', () => {
  const app = useTestApp();

  it('is decided for every table, and for no other', async () => {
    const tables = await app.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    expect([...PLACEMENTS.keys()].toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  });

  it('is possible: unique keys of distributed tables hold the organization', async () => {
    const keys = await app.sql<{ table: string; key: string }>(
      `SELECT t.relname AS table, k.relname AS key
         FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid JOIN pg_class AS k ON k.oid = i.indexrelid
        WHERE t.relnamespace = 'public'::regnamespace AND NOT t.relispartition AND i.indisunique
          AND NOT EXISTS (
                SELECT FROM pg_attribute AS a
                 WHERE a.attrelid = i.indexrelid AND a.attnum <= i.indnkeyatts AND a.attname = 'organization_id')`,
    );
    const distributed = keys.filter(({ table }) => PLACEMENTS.get(table) === 'distributed');
    expect(distributed.map(({ key }) => key)).toEqual([]);
  });
});
