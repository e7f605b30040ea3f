import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An entry with all the tags that a link may have could be too large for an index. */
const INDEXES = {
  links_tagged_idx: `(organization_id, id) INCLUDE (tag_keys) WHERE tag_keys <> '{}' AND cardinality(tag_keys) <= 8`,
  links_many_tags_idx: `(organization_id, id) WHERE cardinality(tag_keys) > 8`,
  links_domains_idx: `(organization_id, id) INCLUDE (domain_id) WHERE domain_id <> 0`,
};

/**
 * Sums of clicks by tag and domain read these of all links without reading the links. The indexes are built without
 * blocking writers; the migration can be interrupted and run again. Days are summed again, with domains.
 */
export class LinkValueIndexes1700000009962 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      // An interrupted build leaves an invalid index behind.
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${name} ON links ${columns}`);
    }
    await queryRunner.query(`DELETE FROM click_sums WHERE organization_id <> 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX IF EXISTS ${name}`);
  }
}
