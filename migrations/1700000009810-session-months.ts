import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Goals and users of finished months, compacted from their days (docs/adr/0037-days-compacted-into-months.md). The
 * triggers and tables of RunningTotals1700000007000 stay for the version before; a later migration drops them.
 */
export class SessionMonths1700000009810 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE session_months (
        organization_id bigint NOT NULL,
        month date NOT NULL,
        is_compacted boolean NOT NULL,
        PRIMARY KEY (organization_id, month)
      )`);
    await queryRunner.query(`
      CREATE TABLE goal_months (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        subject_id bigint NOT NULL,
        goals bigint NOT NULL,
        month date NOT NULL,
        subject_kind smallint NOT NULL,
        goal_type text NOT NULL,
        currency text NOT NULL,
        PRIMARY KEY (organization_id, subject_kind, month, app_id, subject_id, goal_type, currency)
      )`);
    await queryRunner.query(`
      CREATE TABLE session_user_days (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        users bigint NOT NULL,
        day date NOT NULL,
        PRIMARY KEY (organization_id, app_id, day)
      )`);
    // Compaction begins a day later: by then no process of the version before counts late goals.
    await queryRunner.query(
      `INSERT INTO scheduled_jobs (name, last_run_at) VALUES ('sessions.months', now())`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM scheduled_jobs WHERE name = 'sessions.months'`);
    await queryRunner.query(`DROP TABLE session_user_days, goal_months, session_months`);
  }
}
