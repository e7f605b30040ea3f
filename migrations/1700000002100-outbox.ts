import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events for webhooks (docs/webhooks.md#events). `id` is a version 7 UUID, by which old events are found;
 * `data` is encrypted, because it may contain phone numbers and addresses.
 */
export class Outbox1700000002100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE outbox_events (
        id uuid PRIMARY KEY,
        organization_id bigint NOT NULL,
        name text NOT NULL,
        data text NOT NULL,
        created_at timestamptz NOT NULL
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE outbox_events');
  }
}
