import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a link or campaign answers, where it leads before and after, whether lists show it, and what it does
 * with the query of a request.
 */
export class LinkLife1700000009930 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['links', 'campaigns'])
      await queryRunner.query(`
        ALTER TABLE ${table}
          ADD COLUMN utm_campaign text,
          ADD COLUMN enabled boolean NOT NULL DEFAULT true,
          ADD COLUMN archived boolean NOT NULL DEFAULT false,
          ADD COLUMN starts_at timestamptz,
          ADD COLUMN not_started_url text,
          ADD COLUMN expired_url text,
          ADD COLUMN forward_query boolean NOT NULL DEFAULT true`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['links', 'campaigns'])
      await queryRunner.query(`
        ALTER TABLE ${table}
          DROP COLUMN utm_campaign, DROP COLUMN enabled, DROP COLUMN archived, DROP COLUMN starts_at,
          DROP COLUMN not_started_url, DROP COLUMN expired_url, DROP COLUMN forward_query`);
  }
}
