import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who is not to be written to. `sealed` is the value and its source, encrypted; `value_hash` is its blind index. A
 * deleted entry stays, as the feed of deletions tells of it for ever. Channels: 1 SMS, 2 EMAIL, 3 WHATSAPP.
 * A head hands out the positions of a channel's feeds: `position` is the last one, `total` the entries that stand.
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
    // Another condition than that of values, though it says the same: while a table is new to the planner, it takes an
    // index for the other where it may.
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
