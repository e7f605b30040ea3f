import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The brand shown on an organization's pages, and where a custom domain redirects instead of showing a page.
 */
export class Pages1700000009600 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE organizations
        ADD COLUMN brand_name text,
        ADD COLUMN logo_url text,
        ADD COLUMN brand_color text`);
    await queryRunner.query(`
      ALTER TABLE custom_domains
        ADD COLUMN root_url text,
        ADD COLUMN not_found_url text,
        ADD COLUMN expired_url text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE custom_domains DROP COLUMN root_url, DROP COLUMN not_found_url, DROP COLUMN expired_url`);
    await queryRunner.query(`
      ALTER TABLE organizations DROP COLUMN brand_name, DROP COLUMN logo_url, DROP COLUMN brand_color`);
  }
}
