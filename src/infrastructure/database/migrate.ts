import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { ADVISORY_LOCK } from './advisory-locks';

const LEAST_VERSION = 15;

const RETRY_MS = 200;

export class PostgresTooOld extends Error {
  constructor(version: string) {
    super(
      `This is Postgres ${version}; Waypost needs Postgres ${LEAST_VERSION} or later. Nothing was changed.`,
    );
  }
}

export class NotTheOwner extends Error {
  constructor(user: string) {
    super(
      `The database user ${user} must own the tables, or be a member of the role that does: each month of clicks is a table that Waypost makes and drops.`,
    );
  }
}

export class ForeignSchema extends Error {
  constructor(migration: string) {
    super(
      `The database was made by an unreleased build of Waypost (${migration}). Nothing was changed. Use an empty database; without DATABASE_URL, remove DATA_DIR.`,
    );
  }
}

/**
 * Brings the schema up to date. If several processes start at once, one migrates and the others wait. Both may take
 * long, so the connections must have no statement timeout.
 * @throws PostgresTooOld before anything is changed
 * @throws ForeignSchema before anything is changed
 * @throws NotTheOwner if the role may not create the tables that clicks need later
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  await checkVersion(dataSource);
  await alone(dataSource, async () => {
    await checkHistory(dataSource);
    await dataSource.runMigrations({ transaction: 'each' });
  });
  await checkOwner(dataSource);
}

/** Runs `work` while no other process changes the schema, with the session that holds the lock. */
export async function alone(
  dataSource: DataSource,
  work: (runner: QueryRunner) => Promise<unknown>,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await lock(runner);
    await work(runner);
  } finally {
    // A closed session has already released its lock.
    if (!runner.isReleased) {
      await runner.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK.migration]);
      await runner.release();
    }
  }
}

/**
 * Polls, because a statement waiting for the lock would hold a snapshot, and CREATE INDEX CONCURRENTLY waits for every
 * snapshot.
 */
async function lock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [row] = (await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [
      ADVISORY_LOCK.migration,
    ])) as { locked: boolean }[];
    if (row?.locked) return;
    await delay(RETRY_MS);
  }
}

async function checkVersion(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ version: string; number: string }[]>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number`,
  );
  if (row && Number(row.number) < LEAST_VERSION * 10_000) throw new PostgresTooOld(row.version);
}

/** Accepts unknown migrations that are newer than all known ones, so that an older build can run beside a newer one. */
async function checkHistory(dataSource: DataSource): Promise<void> {
  const [{ there } = { there: false }] = await dataSource.query<{ there: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS there`,
  );
  if (!there) return;
  const names = dataSource.migrations.map((migration) => migration.constructor.name);
  const [foreign] = await dataSource.query<{ name: string }[]>(
    `SELECT name FROM migrations
      WHERE name <> ALL ($1) AND timestamp < (SELECT max(right(name, 13)::bigint) FROM unnest($1::text[]) AS own (name))
      ORDER BY id LIMIT 1`,
    [names],
  );
  if (foreign) throw new ForeignSchema(foreign.name);
}

async function checkOwner(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ user: string; owns: boolean }[]>(
    `SELECT current_user AS user, pg_has_role(relowner, 'USAGE') AS owns FROM pg_class WHERE oid = 'clicks'::regclass`,
  );
  if (row && !row.owns) throw new NotTheOwner(row.user);
}
