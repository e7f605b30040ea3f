import { readConfig } from './config/config';
import { connectDataSource } from './infrastructure/database/data-source';
import { directly } from './infrastructure/database/database-address';
import { migrate } from './infrastructure/database/migrate';

/**
 * `npm run migrate`: brings the schema of DATABASE_URL up to date, for deployments that migrate before they
 * start.
 */
async function main(): Promise<void> {
  const { databaseUrl } = readConfig(process.env);
  if (!databaseUrl) throw new Error('DATABASE_URL: required to migrate');
  const dataSource = await connectDataSource(directly(databaseUrl).direct, 2);
  await migrate(dataSource);
  await dataSource.destroy();
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
