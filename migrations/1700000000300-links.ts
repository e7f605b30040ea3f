import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Short links. `domain_id` 0 is the default short domain, so that one index covers every domain. */
export class Links1700000000300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE EXTENSION IF NOT EXISTS pg_trgm`);
    await queryRunner.query(`CREATE EXTENSION IF NOT EXISTS btree_gin`);
    // The text that keyword search looks in. It is stored, because folding a million URLs takes twice as long
    // as searching them; it is one column, so that the search needs no OR; collation "C" folds ASCII, which
    // covers codes and most URLs.
    await queryRunner.query(`
      CREATE TABLE links (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations (id),
        domain_id bigint NOT NULL DEFAULT 0,
        code text NOT NULL CHECK (length(code) BETWEEN 1 AND 50),
        is_alias boolean NOT NULL DEFAULT false,
        code_released boolean NOT NULL DEFAULT false,
        original_url text NOT NULL,
        title text,
        show_ad_page boolean NOT NULL DEFAULT false,
        og_title text,
        og_description text,
        og_image_url text,
        ios_app_id bigint REFERENCES apps (id),
        android_app_id bigint REFERENCES apps (id),
        ios_deep_link_path text,
        android_deep_link_path text,
        mobile_target_url text,
        utm_source text,
        utm_medium text,
        utm_term text,
        utm_content text,
        goal_type text,
        deduplication_window_minutes integer CHECK (deduplication_window_minutes > 0),
        expires_at timestamptz,
        created_by bigint,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        deleted_at timestamptz,
        search_text text COLLATE "C" NOT NULL
          GENERATED ALWAYS AS (lower((code || E'\\n' || original_url) COLLATE "C")) STORED,
        CHECK (NOT code_released OR (is_alias AND deleted_at IS NOT NULL))
      )`);
    // Deleted links keep their codes in the same index, so that no check can race with a deletion. If their
    // organization reuses a deleted alias, it is released in the transaction of the new link.
    await queryRunner.query(
      `CREATE UNIQUE INDEX links_domain_code_key ON links (domain_id, code) WHERE NOT code_released`,
    );
    await queryRunner.query(
      `CREATE INDEX links_organization_created_idx ON links (organization_id, created_at DESC, id DESC)
         WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX links_ad_page_idx ON links (organization_id, created_at DESC, id DESC)
         WHERE deleted_at IS NULL AND show_ad_page`,
    );
    // Every search reads the GIN pending list, so it is kept short.
    await queryRunner.query(
      `CREATE INDEX links_search_idx ON links USING gin (organization_id, search_text gin_trgm_ops)
         WITH (gin_pending_list_limit = 1024)
         WHERE deleted_at IS NULL`,
    );
    // For the foreign keys: deleting an app must not scan all links.
    await queryRunner.query(
      `CREATE INDEX links_ios_app_idx ON links (ios_app_id) WHERE ios_app_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX links_android_app_idx ON links (android_app_id) WHERE android_app_id IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE links`);
  }
}
