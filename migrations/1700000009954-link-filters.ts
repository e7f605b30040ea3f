import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = { links_campaign_idx: 'utm_campaign', links_expiry_idx: 'expires_at' };

/**
 * Lists of links by campaign and by expiry; links without them are in neither index. Built without blocking writers; the
 * migration can be interrupted and run again.
 */
export class LinkFilters1700000009954 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, column] of Object.entries(INDEXES)) {
      // An interrupted build leaves an invalid index behind.
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await queryRunner.query(
        `CREATE INDEX CONCURRENTLY ${name} ON links (organization_id, ${column}) INCLUDE (archived)
          WHERE deleted_at IS NULL AND ${column} IS NOT NULL`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX IF EXISTS ${name}`);
  }
}
