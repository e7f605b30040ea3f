import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  links_titles_idx: { text: 'lower(title)', condition: 'title IS NOT NULL' },
  links_tag_texts_idx: { text: 'link_tags_text(tag_keys)', condition: `tag_keys <> '{}'` },
};

/**
 * Search of links by parts of titles and tags. Built without blocking writers; the migration can be interrupted and run
 * again.
 */
export class SearchOfTitlesAndTags1700000013200 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // array_to_string is not declared immutable, because it is not so for every type.
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION link_tags_text(tags text[]) RETURNS text
      LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 100 AS $$
        BEGIN RETURN array_to_string(tags, E'\\n'); END
      $$`);
    for (const [name, { text, condition }] of Object.entries(INDEXES)) {
      // An interrupted build leaves an invalid index behind.
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await queryRunner.query(
        `CREATE INDEX CONCURRENTLY ${name} ON links USING gin (organization_id, ${text} gin_trgm_ops)
           WITH (gin_pending_list_limit = 1024)
          WHERE deleted_at IS NULL AND ${condition}`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX IF EXISTS ${name}`);
    await queryRunner.query('DROP FUNCTION IF EXISTS link_tags_text');
  }
}
