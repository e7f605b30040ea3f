import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Unique visitors by day and ISO week in the organization's time zone, per organization (app_id 0) and per
 * app. Older versions still running count none.
 */
export class Visitors1700000003300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Visitors of a week, by a hash with a salt per week, which is deleted once late clicks are no longer
    // expected. days: bit n is day n of the week, from Monday; previous_days: its value before the last
    // change.
    await queryRunner.query(`
      CREATE TABLE click_visitors (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        visitor bigint NOT NULL,
        week date NOT NULL,
        days smallint NOT NULL,
        previous_days smallint NOT NULL,
        PRIMARY KEY (week, organization_id, app_id, visitor)
      )`);
    await queryRunner.query(`
      CREATE TABLE visitor_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        day date NOT NULL,
        slot smallint NOT NULL,
        visitors integer NOT NULL,
        link_clicks integer NOT NULL,
        campaign_clicks integer NOT NULL,
        PRIMARY KEY (organization_id, app_id, day, slot)
      )`);
    await queryRunner.query(`
      CREATE TABLE visitor_week_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        week date NOT NULL,
        slot smallint NOT NULL,
        visitors integer NOT NULL,
        PRIMARY KEY (organization_id, app_id, week, slot)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE visitor_week_rollups, visitor_rollups, click_visitors');
  }
}
