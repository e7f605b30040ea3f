import { DataSource } from 'typeorm';
import { connectDataSource, dataSourceOptions } from '../../src/infrastructure/database/data-source';
import { connectionOptions } from '../../src/infrastructure/database/database-address';
import { Tx } from '../../src/infrastructure/database/tx';
import { useTestApp } from '../support/test-app';

const LONGER = 'SELECT pg_sleep(2), $1::int AS given';

describe('statements longer than the timeout of requests', () => {
  const app = useTestApp();
  let dataSource: DataSource;

  beforeAll(async () => {
    const route = { url: app.database.url };
    const extra = { ...connectionOptions(route, { statement: 500 }), query_timeout: 1_000 };
    dataSource = await new DataSource({ ...dataSourceOptions(route, 1), extra }).initialize();
  });
  afterAll(() => dataSource.destroy());

  it('complete when a schedule runs them as slow', async () => {
    const run = () =>
      dataSource.transaction((manager) => new Tx(manager).slow<{ given: number }>(LONGER, [7]));
    expect(await run()).toEqual([expect.objectContaining({ given: 7 })]);
  });

  it('are cancelled otherwise, even on the same connection', async () => {
    await dataSource.transaction((manager) => new Tx(manager).slow(LONGER, [7]));
    await expect(dataSource.query(LONGER, [7])).rejects.toThrow(/timeout/);
  });

  it('have no timeout in migrations and tools', async () => {
    const tool = await connectDataSource({ url: app.database.url }, 2);
    expect(await tool.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '0' }]);
    await tool.destroy();
  });
});
