import type { DataSource } from 'typeorm';
import { Database } from '../../src/infrastructure/database/database';
import { directly } from '../../src/infrastructure/database/database-address';

/** The service's `Database` over a connection of a test or benchmark. */
export function databaseOf(dataSource: DataSource): Database {
  const { url = '' } = dataSource.options as { url?: string };
  return new Database(dataSource, directly(url));
}
