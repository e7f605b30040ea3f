import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace in which an event happened, for the deliveries of its webhooks. */
export class Traceparent1700000012500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE outbox_events ADD COLUMN traceparent text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE outbox_events DROP COLUMN traceparent');
  }
}
