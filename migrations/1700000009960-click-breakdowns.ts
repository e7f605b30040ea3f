import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'clicks_organization_idx';
const COLUMNS = '(organization_id, clicked_at)';

/**
 * The day of a click in the organization's time zone when it was counted, and its visitor of that day, in place of
 * the visitor of the UTC day; both are null for earlier clicks and for those of the previous version. An index by
 * organization and time: partitions get it one at a time without blocking writers. The migration can be interrupted
 * and run again.
 */
export class ClickBreakdowns1700000009960 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE clicks
        ADD COLUMN IF NOT EXISTS local_day date,
        ADD COLUMN IF NOT EXISTS local_visitor bigint,
        ALTER COLUMN visitor DROP NOT NULL`);
    // New partitions get an index of their own from now on.
    await queryRunner.query(`CREATE INDEX IF NOT EXISTS ${INDEX} ON ONLY clicks ${COLUMNS}`);
    const partitions = (await queryRunner.query(UNINDEXED)) as { name: string }[];
    for (const { name } of partitions) {
      const index = `${name}_organization_idx`;
      // What an interrupted run has left is not valid.
      await queryRunner.query(`DROP INDEX IF EXISTS ${index}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${name} ${COLUMNS}`);
      await queryRunner.query(`ALTER INDEX ${INDEX} ATTACH PARTITION ${index}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX IF EXISTS ${INDEX}`);
    await queryRunner.query(`UPDATE clicks SET visitor = '' WHERE visitor IS NULL`);
    await queryRunner.query(`
      ALTER TABLE clicks
        DROP COLUMN IF EXISTS local_day,
        DROP COLUMN IF EXISTS local_visitor,
        ALTER COLUMN visitor SET NOT NULL`);
  }
}

const UNINDEXED = `
  SELECT t.relname AS name FROM pg_inherits p JOIN pg_class t ON t.oid = p.inhrelid
   WHERE p.inhparent = 'clicks'::regclass
     AND NOT EXISTS (SELECT FROM pg_inherits i JOIN pg_index x ON x.indexrelid = i.inhrelid
                      WHERE i.inhparent = '${INDEX}'::regclass AND x.indrelid = t.oid)`;
