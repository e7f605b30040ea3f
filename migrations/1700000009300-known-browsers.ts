import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Clicks of a browser that opened an app: if the browser clicks again within a day, its device has the app.
 */
export class KnownBrowsers1700000009300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX deep_link_tokens_browser_idx ON deep_link_tokens (organization_id, browser_id)
       WHERE browser_id IS NOT NULL AND matched_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX deep_link_tokens_browser_idx');
  }
}
