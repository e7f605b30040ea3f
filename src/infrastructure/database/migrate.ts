import type { DataSource } from 'typeorm';
import { ADVISORY_LOCK } from './advisory-locks';

/**
 * Brings the schema up to date. Several processes may start at once: one migrates, the others wait for it.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK.migration]);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK.migration]);
    await runner.query('RESET statement_timeout');
    await runner.release();
  }
}
