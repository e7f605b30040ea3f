import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { migrate } from '../../src/infrastructure/database/migrate';

/** Migrates a database as `npm run migrate` does. */
export async function migrateDatabase(url: string): Promise<void> {
  const dataSource = await connectDataSource({ url }, 2);
  await migrate(dataSource).finally(() => dataSource.destroy());
}
