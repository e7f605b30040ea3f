import { resolve } from 'node:path';
import type { Config } from '../config/config';
import { connectDataSource } from '../infrastructure/database/data-source';
import { Database } from '../infrastructure/database/database';
import { directly } from '../infrastructure/database/database-address';
import { startEmbeddedPostgres } from '../infrastructure/embedded-postgres/embedded-postgres';
import { findDatabase } from './find-database';

/** Runs a tool on the configured or the embedded database, also beside a running service. */
export async function withDatabase<T>(
  config: Pick<
    Config,
    'databaseUrl' | 'databaseDirectUrl' | 'databaseReplicaUrl' | 'databasePrepared' | 'dataDir'
  >,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  // Joins the service's server if it is running; the last process to leave stops it.
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
