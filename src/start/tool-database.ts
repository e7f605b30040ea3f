import { resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Config } from '../config/config';
import { connectDataSource } from '../infrastructure/database/data-source';
import { Database } from '../infrastructure/database/database';
import { directly } from '../infrastructure/database/database-address';
import { startEmbeddedPostgres } from '../infrastructure/embedded-postgres/embedded-postgres';
import { findDatabase } from './find-database';

type DatabaseConfig = Pick<
  Config,
  'databaseUrl' | 'databaseDirectUrl' | 'databaseReplicaUrl' | 'databasePrepared'
>;

/**
 * Runs a CLI tool on the schema of the configured database, bypassing a pooler.
 * @throws Error without DATABASE_URL
 */
export async function withSchema(
  config: DatabaseConfig,
  work: (dataSource: DataSource) => Promise<void>,
): Promise<void> {
  if (!config.databaseUrl) throw new Error('DATABASE_URL: must be set');
  const { direct } = await findDatabase(config.databaseUrl, config);
  const dataSource = await connectDataSource(direct, 2);
  await work(dataSource).finally(() => dataSource.destroy());
}

/** Runs a CLI tool on the configured or the embedded database, even while the service is running. */
export async function withDatabase<T>(
  config: DatabaseConfig & Pick<Config, 'dataDir'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  // Shares the embedded server with a running service; the last process stops it.
  const { databaseUrl, dataDir } = config;
  const embedded = databaseUrl ? null : await startEmbeddedPostgres({ dataDir: resolve(dataDir) });
  try {
    const address = embedded ? directly(embedded.url) : await findDatabase(databaseUrl ?? '', config);
    const dataSource = await connectDataSource(address.direct, 2);
    return await work(new Database(dataSource, address)).finally(() => dataSource.destroy());
  } finally {
    await embedded?.stop();
  }
}
