import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Open Graph fields fetched from the destinations of links and campaigns. Rows of versions without this
 * feature have only fields set by the owner.
 */
export class OgFetches1700000001200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN og_auto smallint NOT NULL DEFAULT 0`);
    }
    // A separate table, so that updates do not touch the many indexes of links and campaigns.
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
