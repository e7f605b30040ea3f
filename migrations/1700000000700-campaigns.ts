import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Campaigns. `domain_id` 0 is the default short domain; aliases are unique among the campaigns of a domain. */
export class Campaigns1700000000700 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Names are folded by the service, because lower() depends on the server's locale.
    await queryRunner.query(`
      CREATE TABLE campaigns (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations (id),
        domain_id bigint NOT NULL DEFAULT 0,
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
        alias text NOT NULL CHECK (length(alias) BETWEEN 1 AND 50),
        is_alias boolean NOT NULL DEFAULT false,
        alias_released boolean NOT NULL DEFAULT false,
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
        username text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        deleted_at timestamptz,
        folded_name text NOT NULL,
        search_text text COLLATE "C" NOT NULL
          GENERATED ALWAYS AS (lower(alias COLLATE "C") || E'\\n' || folded_name) STORED,
        CHECK (NOT alias_released OR (is_alias AND deleted_at IS NOT NULL))
      )`);
    // Deleted campaigns keep their aliases, like deleted links their codes.
    await queryRunner.query(
      `CREATE UNIQUE INDEX campaigns_domain_alias_key ON campaigns (domain_id, alias) WHERE NOT alias_released`,
    );
    await queryRunner.query(
      `CREATE INDEX campaigns_organization_created_idx ON campaigns (organization_id, created_at DESC, id DESC)
         WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX campaigns_search_idx ON campaigns USING gin (organization_id, search_text gin_trgm_ops)
         WITH (gin_pending_list_limit = 1024)
         WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX campaigns_ios_app_idx ON campaigns (ios_app_id) WHERE ios_app_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX campaigns_android_app_idx ON campaigns (android_app_id) WHERE android_app_id IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE campaigns`);
  }
}
