import type { DataSource } from 'typeorm';
import { ADVISORY_LOCK } from './advisory-locks';

/**
 * Brings the schema up to date. Several processes may start at once: one migrates, the others wait for it. Both may take
 * as long as it takes, so the connections are to be without a time limit.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK.migration]);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK.migration]);
    await runner.release();
  }
}
