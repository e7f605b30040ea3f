import type { DataSource } from 'typeorm';
import { ADVISORY_LOCK } from './advisory-locks';

/** The oldest Postgres that the migrations and the statements of the service run on. */
const LEAST_VERSION = 15;

export class PostgresTooOld extends Error {
  constructor(version: string) {
    super(
      `This is Postgres ${version}; Waypost needs Postgres ${LEAST_VERSION} or later. Nothing was changed.`,
    );
  }
}

/**
 * Brings the schema up to date. Several processes may start at once: one migrates, the others wait for it. Both may take
 * as long as it takes, so the connections are to be without a time limit.
 * @throws PostgresTooOld before anything is changed
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  await checkVersion(dataSource);
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK.migration]);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK.migration]);
    await runner.release();
  }
}

async function checkVersion(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ version: string; number: string }[]>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number`,
  );
  if (row && Number(row.number) < LEAST_VERSION * 10_000) throw new PostgresTooOld(row.version);
}
