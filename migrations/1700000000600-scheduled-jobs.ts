import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One row per job: locked while a process runs it, with the time of the last run. */
export class ScheduledJobs1700000000600 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE scheduled_jobs (
        name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 100),
        last_run_at timestamptz
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE scheduled_jobs');
  }
}
