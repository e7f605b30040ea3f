import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes for the list filters `updatedAfter` and `tag`. Tags are hashed together with the organization, so
 * that a tag used by many organizations only matches rows of one.
 */
export class ContactFilters1700000009420 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX contacts_updated_idx ON contacts (organization_id, updated_at) WHERE deactivated_at IS NULL`,
    );
    await queryRunner.query(`
      CREATE FUNCTION contact_tag_terms(organization bigint, tags text[]) RETURNS bigint[]
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
        SELECT array_agg(hashtextextended(tag, organization)) FROM unnest(tags) AS tag
      $$`);
    await queryRunner.query(
      `CREATE INDEX contacts_tags_idx ON contacts USING gin (contact_tag_terms(organization_id, tags))
         WHERE tags <> '{}' AND deactivated_at IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX contacts_tags_idx`);
    await queryRunner.query(`DROP FUNCTION contact_tag_terms`);
    await queryRunner.query(`DROP INDEX contacts_updated_idx`);
  }
}
