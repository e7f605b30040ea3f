import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Matching an app's first start to a click: both apps of the link or campaign, and an index of unmatched
 * clicks.
 */
export class Fingerprints1700000003100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // browser_id: a random id that the page stores in its browser for a day.
    await queryRunner.query(`
      ALTER TABLE deep_link_tokens
        ADD COLUMN other_app_id bigint,
        ADD COLUMN browser_id text`);
    await queryRunner.query(`
      CREATE INDEX deep_link_tokens_open_idx ON deep_link_tokens (organization_id, ip_hash, issued_at)
       WHERE ip_hash IS NOT NULL AND matched_at IS NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX deep_link_tokens_open_idx');
    await queryRunner.query('ALTER TABLE deep_link_tokens DROP COLUMN other_app_id, DROP COLUMN browser_id');
  }
}
