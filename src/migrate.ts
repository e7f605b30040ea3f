import { readConfig } from './config/config';
import { connectDataSource } from './infrastructure/database/data-source';
import { migrate } from './infrastructure/database/migrate';
import { findDatabase } from './start/find-database';

/**
 * `npm run migrate`: brings the schema of DATABASE_URL up to date, for deployments that migrate before they
 * start.
 */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { databaseUrl } = config;
  if (!databaseUrl) throw new Error('DATABASE_URL: required to migrate');
  const { direct } = await findDatabase(databaseUrl, config);
  const dataSource = await connectDataSource(direct, 2);
  await migrate(dataSource);
  await dataSource.destroy();
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
