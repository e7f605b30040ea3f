import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'clicks_target_idx';
const COLUMNS = '(target_kind, target_id, is_bot, clicked_at, id)';

/**
 * An index for the clicks of a link or campaign in the order of time. Partitions get it one at a time without blocking
 * writers; the migration can be interrupted and run again.
 */
export class ClickLog1700000009970 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // New partitions get an index of their own from now on.
    await queryRunner.query(`CREATE INDEX IF NOT EXISTS ${INDEX} ON ONLY clicks ${COLUMNS}`);
    const partitions = (await queryRunner.query(UNINDEXED)) as { name: string }[];
    for (const { name } of partitions) {
      const index = `${name}_target_idx`;
      // What an interrupted run has left is not valid.
      await queryRunner.query(`DROP INDEX IF EXISTS ${index}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${name} ${COLUMNS}`);
      await queryRunner.query(`ALTER INDEX ${INDEX} ATTACH PARTITION ${index}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX IF EXISTS ${INDEX}`);
  }
}

const UNINDEXED = `
  SELECT t.relname AS name FROM pg_inherits p JOIN pg_class t ON t.oid = p.inhrelid
   WHERE p.inhparent = 'clicks'::regclass
     AND NOT EXISTS (SELECT FROM pg_inherits i JOIN pg_index x ON x.indexrelid = i.inhrelid
                      WHERE i.inhparent = '${INDEX}'::regclass AND x.indrelid = t.oid)`;
