import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Opt-outs. `sealed` is the encrypted value and source; `value_hash` is the blind index of the value. Deleted
 * entries stay, for the feed of deletions. Channels: 1 SMS, 2 EMAIL, 3 WHATSAPP. A head assigns the positions
 * of a channel's feeds: `position` is the last one, `total` the number of registered entries.
 */
export class Unsubscribes1700000002120 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE unsubscribe_heads (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        channel smallint NOT NULL,
        position bigint NOT NULL,
        total bigint NOT NULL,
        PRIMARY KEY (organization_id, channel)
      ) WITH (fillfactor = 50)`);
    await queryRunner.query('CREATE SEQUENCE unsubscribe_ids');
    await queryRunner.query(`
      CREATE TABLE unsubscribes (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        id bigint NOT NULL,
        position bigint NOT NULL,
        unsubscribed_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        deletion_id bigint,
        deletion_position bigint,
        deleted_at timestamptz,
        channel smallint NOT NULL CHECK (channel BETWEEN 1 AND 3),
        value_hash bytea NOT NULL,
        method text NOT NULL,
        sealed text NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX unsubscribes_value_key ON unsubscribes (organization_id, channel, value_hash)
       WHERE deleted_at IS NULL`);
    // The condition deliberately differs from that of the values' index, although it is equivalent: without
    // statistics, the planner would use either index for the other's queries.
    await queryRunner.query(`
      CREATE UNIQUE INDEX unsubscribes_position_key ON unsubscribes (organization_id, channel, position)
       WHERE deletion_position IS NULL`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX unsubscribes_deletion_key ON unsubscribes (organization_id, channel, deletion_position)
       WHERE deleted_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE unsubscribes, unsubscribe_heads');
    await queryRunner.query('DROP SEQUENCE unsubscribe_ids');
  }
}
