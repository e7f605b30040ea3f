import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Different visitors by day and ISO week of the organization's time zone, of the organization (app_id 0) and of each
 * app. A running older version counts none.
 */
export class Visitors1700000003300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Who was there this week, by a hash whose salt is the week's: it goes when late clicks are no longer awaited.
    // days: bit n is the week's day n, from Monday; previous_days: as it was before the last change.
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
