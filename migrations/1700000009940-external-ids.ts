import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['links', 'campaigns'];

/**
 * Ids that links and campaigns have in the organization's own system. The indexes are built without blocking
 * writers, so this runs outside of a transaction, and can be interrupted and run again.
 */
export class ExternalIds1700000009940 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS external_id text`);
      // An interrupted build leaves an invalid index behind.
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_external_id_key`);
      await queryRunner.query(
        `CREATE UNIQUE INDEX CONCURRENTLY ${table}_external_id_key ON ${table} (organization_id, external_id)
           WHERE external_id IS NOT NULL AND deleted_at IS NULL`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN external_id`);
  }
}
