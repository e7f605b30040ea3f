import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tags, passwords, click limits, targeting rules and variants of short links; links without them are
 * unchanged.
 */
export class LinkExtras1700000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // `tag_keys` are the tags in lower case, for search. `targeting` and `variants` are json, not jsonb: they
    // are never searched, and must be returned unchanged.
    await queryRunner.query(`
      ALTER TABLE links
        ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
        ADD COLUMN tag_keys text[] NOT NULL DEFAULT '{}',
        ADD COLUMN password_hash text,
        ADD COLUMN max_clicks integer CHECK (max_clicks > 0),
        ADD COLUMN used_clicks integer NOT NULL DEFAULT 0 CHECK (used_clicks >= 0),
        ADD COLUMN targeting json,
        ADD COLUMN variants json`);
    await queryRunner.query(
      `CREATE INDEX links_tags_idx ON links USING gin (organization_id, tag_keys)
         WITH (gin_pending_list_limit = 1024)
         WHERE deleted_at IS NULL AND tag_keys <> '{}'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX links_tags_idx`);
    await queryRunner.query(`
      ALTER TABLE links
        DROP COLUMN tags,
        DROP COLUMN tag_keys,
        DROP COLUMN password_hash,
        DROP COLUMN max_clicks,
        DROP COLUMN used_clicks,
        DROP COLUMN targeting,
        DROP COLUMN variants`);
  }
}
