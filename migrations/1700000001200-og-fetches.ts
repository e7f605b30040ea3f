import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What of links and campaigns their destinations' pages describe. A version that does not know of it goes on making
 * rows whose fields are nobody's but the owner's.
 */
export class OgFetches1700000001200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN og_auto smallint NOT NULL DEFAULT 0`);
    }
    // Apart from the rows that it is about, so that these can be updated without a touch of their many indexes.
    await queryRunner.query(`
      CREATE TABLE og_fetches (
        target_kind smallint NOT NULL,
        target_id bigint NOT NULL,
        organization_id bigint NOT NULL REFERENCES organizations (id),
        due_at timestamptz NOT NULL,
        tries smallint NOT NULL DEFAULT 0,
        PRIMARY KEY (target_kind, target_id)
      )`);
    await queryRunner.query(`CREATE INDEX og_fetches_due_idx ON og_fetches (due_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE og_fetches`);
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN og_auto`);
  }
}

const TABLES = ['links', 'campaigns'];
