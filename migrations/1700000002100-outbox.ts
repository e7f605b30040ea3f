import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What happened, as webhooks will tell it (docs/webhooks.md#events). `id` is a UUID of version 7, so that old events
 * are found by it; `data` is encrypted, as it may hold phone numbers and addresses.
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
