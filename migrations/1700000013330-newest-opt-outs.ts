import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Registered opt-outs of a channel, newest first. Built without blocking writers; the migration can be interrupted and run
 * again.
 */
export class NewestOptOuts1700000013330 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // An interrupted build leaves an invalid index behind.
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS unsubscribes_newest_idx');
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY unsubscribes_newest_idx
           ON unsubscribes (organization_id, channel, unsubscribed_at DESC, id DESC)
        WHERE deletion_position IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX IF EXISTS unsubscribes_newest_idx');
  }
}
