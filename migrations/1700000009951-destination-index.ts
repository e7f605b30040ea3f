import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['links', 'campaigns'];

/**
 * Finds links and campaigns by their destination, for `findIfExists`. The index holds a hash, since destinations are long.
 * It is built without blocking writers; the migration can be interrupted and run again.
 */
export class DestinationIndex1700000009951 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      // An interrupted build leaves an invalid index behind.
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_destination_idx`);
      await queryRunner.query(
        `CREATE INDEX CONCURRENTLY ${table}_destination_idx
             ON ${table} (organization_id, hashtextextended(original_url, 0))
          WHERE deleted_at IS NULL`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP INDEX IF EXISTS ${table}_destination_idx`);
  }
}
