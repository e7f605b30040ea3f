import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events of sessions by the organization's day, for event log analytics. Sessions of a day are grouped by the
 * gap in days since their previous such event (-1: none), so that the sessions of any range are those whose
 * gap reaches beyond its start. event_type '' means all events.
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
