import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Contacts. Phone number, e-mail address and push identifier are encrypted, and searched by blind indexes.
 * Ids come from a sequence, because encryption binds a value to its row, whose id must be known before the
 * insert.
 */
export class Contacts1700000002010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE SEQUENCE contact_ids`);
    await queryRunner.query(`
      CREATE TABLE contacts (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        id bigint NOT NULL,
        external_user_id text COLLATE "C",
        origin text NOT NULL CHECK (origin IN ('API', 'SDK', 'CSV')),
        name text,
        search_name text COLLATE "C",
        phone text,
        phone_index bytea,
        phone_last4_index bytea,
        email text,
        email_index bytea,
        email_local_index bytea,
        email_domain_index bytea,
        push_identify text,
        push_token_idx bigint,
        locale text,
        push_opt_in boolean NOT NULL DEFAULT false,
        sms_opt_in boolean NOT NULL DEFAULT false,
        email_opt_in boolean NOT NULL DEFAULT false,
        alimtalk_opt_in boolean NOT NULL DEFAULT false,
        whatsapp_opt_in boolean NOT NULL DEFAULT false,
        push_ad_opt_in boolean NOT NULL DEFAULT false,
        sms_ad_opt_in boolean NOT NULL DEFAULT false,
        email_ad_opt_in boolean NOT NULL DEFAULT false,
        alimtalk_ad_opt_in boolean NOT NULL DEFAULT false,
        night_ad_opt_in boolean NOT NULL DEFAULT false,
        tags text[] NOT NULL DEFAULT '{}',
        custom_fields jsonb NOT NULL DEFAULT '{}',
        blocked boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        deactivated_at timestamptz,
        CONSTRAINT contacts_pkey PRIMARY KEY (organization_id, id)
      )`);
    // Includes deactivated contacts, because a returning person is the same contact.
    await queryRunner.query(
      `CREATE UNIQUE INDEX contacts_external_user_key ON contacts (organization_id, external_user_id)
         WHERE external_user_id IS NOT NULL`,
    );
    for (const column of ['phone', 'phone_last4', 'email', 'email_local', 'email_domain']) {
      await queryRunner.query(
        `CREATE INDEX contacts_${column}_idx ON contacts (organization_id, ${column}_index)
           WHERE ${column}_index IS NOT NULL AND deactivated_at IS NULL`,
      );
    }
    await queryRunner.query(
      `CREATE INDEX contacts_newest_idx ON contacts (organization_id, created_at DESC, id DESC)
         WHERE deactivated_at IS NULL`,
    );
    // Filtered lists read ranges of this index, each newest first.
    await queryRunner.query(
      `CREATE INDEX contacts_consents_idx ON contacts
           (organization_id, origin, push_opt_in, sms_opt_in, email_opt_in, created_at DESC, id DESC)
         WHERE deactivated_at IS NULL`,
    );
    // Single characters, pairs and triples, because pg_trgm only has triples: Korean names have three
    // characters, and are searched by one or two. Hashed together with the organization, so that a term only
    // matches its own rows.
    await queryRunner.query(`
      CREATE FUNCTION contact_name_terms(organization bigint, name text) RETURNS bigint[]
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
        SELECT array_agg(DISTINCT hashtextextended(substr(name, start, size), organization))
          FROM generate_series(1, 3) AS size, generate_series(1, length(name) - size + 1) AS start
      $$`);
    await queryRunner.query(
      `CREATE INDEX contacts_name_idx ON contacts USING gin (contact_name_terms(organization_id, search_name))
         WITH (gin_pending_list_limit = 1024)
         WHERE search_name IS NOT NULL AND deactivated_at IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE contacts`);
    await queryRunner.query(`DROP FUNCTION contact_name_terms`);
    await queryRunner.query(`DROP SEQUENCE contact_ids`);
  }
}
