import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Totals that statistics over long ranges read instead of daily rows. They replace click_month_rollups, which
 * the previous version still reads: that and click_months_built are dropped by a later version.
 */
export class ClickRunningTotals1700000008000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // terms[i] occurred counts[i] times until the end of that day; pairs is the number of entries in its
    // daily rows.
    await queryRunner.query(`
      CREATE TABLE click_running_totals (
        target_id bigint NOT NULL,
        pairs bigint NOT NULL,
        day date NOT NULL,
        target_kind smallint NOT NULL,
        terms integer[] NOT NULL,
        counts bigint[] NOT NULL,
        PRIMARY KEY (target_id, target_kind, day)
      )`);
    // The first total is built half a day later: by then, every running process adds late clicks to it.
    await queryRunner.query(`INSERT INTO scheduled_jobs (name, last_run_at) VALUES ('clicks.totals', now())`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM scheduled_jobs WHERE name = 'clicks.totals'`);
    await queryRunner.query(`DROP TABLE click_running_totals`);
    // Late clicks were not added to these, so they are rebuilt.
    await queryRunner.query(`TRUNCATE click_month_rollups, click_months_built`);
  }
}
