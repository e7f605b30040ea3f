import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Unique visitors of links and campaigns, and the hours of the week of compacted months
 * (docs/adr/0048-visitors-of-links-by-utc-day.md). Both columns are null in rows of the previous version.
 */
export class LinkFigures1700000009980 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE click_rollups ADD COLUMN visitors integer`);
    await queryRunner.query(`ALTER TABLE click_months ADD COLUMN hours_of_week bigint[]`);
    await queryRunner.query(`
      CREATE TABLE click_day_visitors (
        target_id bigint NOT NULL,
        visitor bigint NOT NULL,
        day date NOT NULL,
        target_kind smallint NOT NULL,
        PRIMARY KEY (day, target_id, target_kind, visitor)
      )`);
    // Months are compacted again, a day later: by then no process of the previous version compacts any.
    await queryRunner.query(`
      INSERT INTO click_months_due (target_id, target_kind, month)
      SELECT target_id, target_kind, month FROM click_months ON CONFLICT DO NOTHING`);
    await queryRunner.query(`UPDATE scheduled_jobs SET last_run_at = now() WHERE name = 'clicks.months'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE click_day_visitors`);
    await queryRunner.query(`ALTER TABLE click_months DROP COLUMN hours_of_week`);
    await queryRunner.query(`ALTER TABLE click_rollups DROP COLUMN visitors`);
  }
}
