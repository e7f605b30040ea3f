import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'bulk_jobs_turns_idx';

/**
 * Open bulk jobs by organization, for the turns that organizations take. Built without blocking writers; the migration can
 * be interrupted and run again. The version before finds open jobs in it too.
 */
export class TurnsOfBulkJobs1700000013070 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // An interrupted build leaves an invalid index behind.
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`);
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY ${INDEX} ON bulk_jobs (organization_id, id) WHERE finished_at IS NULL`,
    );
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS bulk_jobs_open_idx');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX IF NOT EXISTS bulk_jobs_open_idx ON bulk_jobs (id) WHERE finished_at IS NULL',
    );
    await queryRunner.query(`DROP INDEX IF EXISTS ${INDEX}`);
  }
}
