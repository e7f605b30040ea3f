import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['links', 'campaigns'];

/**
 * Lists leave out what is archived; with the column in their index, they go on counting without reading the rows. The
 * index is replaced without blocking writers; the migration can be interrupted and run again.
 */
export class ListedLinksIndex1700000009931 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      // An interrupted build leaves an invalid index behind.
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_listed_idx`);
      await queryRunner.query(
        `CREATE INDEX CONCURRENTLY ${table}_listed_idx
             ON ${table} (organization_id, created_at DESC, id DESC) INCLUDE (archived)
          WHERE deleted_at IS NULL`,
      );
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_organization_created_idx`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(
        `CREATE INDEX IF NOT EXISTS ${table}_organization_created_idx
             ON ${table} (organization_id, created_at DESC, id DESC)
          WHERE deleted_at IS NULL`,
      );
      await queryRunner.query(`DROP INDEX IF EXISTS ${table}_listed_idx`);
    }
  }
}
