import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEY = 'clicks_pkey';
const COLUMNS = 'clicked_at, id, organization_id';
/** Keeps clicks unique for the version before, which names its columns in ON CONFLICT. */
const BEFORE = 'clicks_key_before';
const COLUMNS_BEFORE = 'clicked_at, id';

/**
 * The organization in the key of clicks, as its last column, so that they can be distributed by it. Partitions get
 * their indexes one at a time without blocking writers; the keys are then exchanged at once. The key of before stays as
 * an index for the version before, and a later migration drops it; without organizations there is no version before. It
 * can be interrupted and run again.
 */
export class KeysOfClicks1700000012950 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const [found] = (await queryRunner.query(`
      SELECT EXISTS (SELECT FROM organizations) AS upgraded,
             EXISTS (SELECT FROM pg_attribute
                      WHERE attrelid = '${KEY}'::regclass AND attname = 'organization_id') AS extended`)) as {
      upgraded: boolean;
      extended: boolean;
    }[];
    if (found?.extended) return;
    if (found?.upgraded) await keepBefore(queryRunner);
    const partitions = (await queryRunner.query(PARTITIONS)) as { name: string }[];
    for (const { name } of partitions) await build(queryRunner, `${name}_key`, name, COLUMNS);
    // Statements sent together are one transaction. The parent's key takes the keys of its partitions.
    await queryRunner.query(`
      ALTER TABLE clicks DROP CONSTRAINT ${KEY};
      ${partitions
        .map(
          ({ name }) =>
            `ALTER TABLE ${name} ADD CONSTRAINT ${name}_pkey PRIMARY KEY USING INDEX ${name}_key;`,
        )
        .join('\n')}
      ALTER TABLE clicks ADD CONSTRAINT ${KEY} PRIMARY KEY (${COLUMNS})`);
  }

  /** In one transaction, while every process is stopped. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX IF EXISTS ${BEFORE};
      ALTER TABLE clicks DROP CONSTRAINT ${KEY}, ADD CONSTRAINT ${KEY} PRIMARY KEY (${COLUMNS_BEFORE})`);
  }
}

const PARTITIONS = `
  SELECT t.relname AS name FROM pg_inherits AS p JOIN pg_class AS t ON t.oid = p.inhrelid
   WHERE p.inhparent = 'clicks'::regclass ORDER BY name`;

const WITHOUT_BEFORE = `
  SELECT name FROM (${PARTITIONS}) AS partitions
   WHERE NOT EXISTS (SELECT FROM pg_inherits AS i JOIN pg_index AS x ON x.indexrelid = i.inhrelid
                      WHERE i.inhparent = '${BEFORE}'::regclass AND x.indrelid = name::regclass)`;

async function keepBefore(queryRunner: QueryRunner): Promise<void> {
  // New partitions get an index of their own from now on.
  await queryRunner.query(`CREATE UNIQUE INDEX IF NOT EXISTS ${BEFORE} ON ONLY clicks (${COLUMNS_BEFORE})`);
  const partitions = (await queryRunner.query(WITHOUT_BEFORE)) as { name: string }[];
  for (const { name } of partitions) {
    await build(queryRunner, `${name}_key_before`, name, COLUMNS_BEFORE);
    await queryRunner.query(`ALTER INDEX ${BEFORE} ATTACH PARTITION ${name}_key_before`);
  }
}

async function build(queryRunner: QueryRunner, index: string, table: string, columns: string): Promise<void> {
  // What an interrupted run has left may not be valid.
  await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
  await queryRunner.query(`CREATE UNIQUE INDEX CONCURRENTLY ${index} ON ${table} (${columns})`);
}
