import { PLACEMENTS } from '../../src/infrastructure/database/placement';
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
});
