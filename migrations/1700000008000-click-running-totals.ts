import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What statistics over long ranges read in place of every day's rows. They take the place of click_month_rollups,
 * which the version before still reads: that and click_months_built go with a later version.
 */
export class ClickRunningTotals1700000008000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // terms[i] was seen counts[i] times until the end of that day; pairs is how many there are in the rows of its days.
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
    // The first is made half a day later: by then nobody counts who would not add a late click to it.
    await queryRunner.query(`INSERT INTO scheduled_jobs (name, last_run_at) VALUES ('clicks.totals', now())`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM scheduled_jobs WHERE name = 'clicks.totals'`);
    await queryRunner.query(`DROP TABLE click_running_totals`);
    // Late clicks were not added to these: they are made anew.
    await queryRunner.query(`TRUNCATE click_month_rollups, click_months_built`);
  }
}
