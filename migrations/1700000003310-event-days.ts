import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events of sessions by the organization's day, as the event log's analytics read them. A day's sessions are counted by
 * how many days before they had had such an event (-1: never), so that the sessions of any range are the sum of those
 * whose time before lies outside of it. event_type '' is all of them together.
 */
export class EventDays1700000003310 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE event_day_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        day date NOT NULL,
        gap integer NOT NULL,
        events bigint NOT NULL,
        sessions bigint NOT NULL,
        event_type text NOT NULL,
        PRIMARY KEY (organization_id, app_id, day, event_type, gap)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE event_day_rollups');
  }
}
