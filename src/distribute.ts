import { readConfig } from './config/config';
import { connectDataSource } from './infrastructure/database/data-source';
import { distribute } from './infrastructure/database/distribute';
import { findDatabase } from './start/find-database';

/** `npm run distribute`: spreads the tables of DATABASE_URL, a coordinator of Citus, over its workers. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { databaseUrl } = config;
  if (!databaseUrl) throw new Error('DATABASE_URL: required to distribute');
  const { direct } = await findDatabase(databaseUrl, config);
  const dataSource = await connectDataSource(direct, 2);
  await distribute(dataSource, (line) => process.stdout.write(`${line}\n`));
  await dataSource.destroy();
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
