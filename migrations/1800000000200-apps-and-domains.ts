import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mobile and web apps, and the domains of organizations. */
export class AppsAndDomains1800000000200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // A mobile or web app. Deleted ones stay, so that their path is never reassigned.
    await queryRunner.query(`
      CREATE TABLE apps (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations,
        app_name text NOT NULL,
        platform text NOT NULL CHECK (platform IN ('iOS', 'Android', 'Web')),
        path text NOT NULL,
        created_at timestamptz NOT NULL,
        deleted_at timestamptz,
        bundle_id text NOT NULL,
        api_key_hash bytea NOT NULL CHECK (octet_length(api_key_hash) = 32),
        api_key text NOT NULL,
        publishable_key text NOT NULL,
        allowed_origins text[] NOT NULL DEFAULT '{}',
        scheme text,
        team_id text,
        store_url text,
        app_icon_url text,
        sha256_cert_fingerprints text[] NOT NULL DEFAULT '{}',
        sdk_rate_per_minute integer NOT NULL DEFAULT 1000 CHECK (sdk_rate_per_minute > 0),
        created_by bigint,
        updated_at timestamptz NOT NULL DEFAULT now(),
        on_short_domain boolean NOT NULL DEFAULT false
      );
      CREATE UNIQUE INDEX apps_api_key_hash_key ON apps (api_key_hash);
      CREATE INDEX apps_bundle_id_idx ON apps (bundle_id) WHERE deleted_at IS NULL;
      CREATE INDEX apps_organization_idx ON apps (organization_id, id);
      CREATE UNIQUE INDEX apps_path_key ON apps (path);
      CREATE INDEX apps_scheme_idx ON apps (lower(scheme)) WHERE deleted_at IS NULL`);
    // Makes transactions that tie a link to an app wait for a concurrent deletion of the app. An advisory lock, because
    // apps is a reference table on Citus, where row locks make all others wait.
    await queryRunner.query(`
      CREATE FUNCTION app_lives(app bigint) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_advisory_xact_lock_shared(hashtextextended('app_ties', app));
          RETURN EXISTS (SELECT FROM apps WHERE id = app AND deleted_at IS NULL);
        END
      $$`);
    await queryRunner.query(`
      CREATE FUNCTION lock_deleted_app() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_advisory_xact_lock(hashtextextended('app_ties', NEW.id));
          RETURN NEW;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER apps_deletion BEFORE UPDATE OF deleted_at ON apps
        FOR EACH ROW WHEN ((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))
        EXECUTE FUNCTION lock_deleted_app()`);
    // An organization's claim of a domain name. Only one claim of a name is PENDING, VERIFIED or ACTIVE; there may be
    // FAILED and REVOKED ones beside it.
    await queryRunner.query(`
      CREATE TABLE custom_domains (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations,
        domain_name text NOT NULL CHECK (domain_name = lower(domain_name)),
        status text NOT NULL CHECK (status IN ('PENDING', 'VERIFIED', 'ACTIVE', 'FAILED', 'REVOKED')),
        created_at timestamptz NOT NULL,
        owner_username text NOT NULL DEFAULT 'platform',
        verification_token text DEFAULT replace(gen_random_uuid()::text, '-', ''),
        activation_token text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
        pending_since timestamptz NOT NULL DEFAULT now(),
        held_until timestamptz NOT NULL DEFAULT (now() + interval '72 hours'),
        verified_at timestamptz,
        failing_since timestamptz,
        last_checked_at timestamptz,
        deletion_requested_at timestamptz,
        deleted_at timestamptz,
        disabled_reason text,
        root_url text,
        not_found_url text,
        expired_url text,
        last_check jsonb,
        case_sensitive_codes boolean NOT NULL DEFAULT true
      );
      CREATE INDEX custom_domains_check_idx ON custom_domains (last_checked_at NULLS FIRST, id)
        WHERE deleted_at IS NULL AND verification_token IS NOT NULL AND status IN ('PENDING', 'VERIFIED', 'ACTIVE');
      CREATE UNIQUE INDEX custom_domains_claim_key ON custom_domains (organization_id, domain_name)
        WHERE deleted_at IS NULL;
      CREATE UNIQUE INDEX custom_domains_holder_key ON custom_domains (domain_name)
        WHERE deleted_at IS NULL AND status IN ('PENDING', 'VERIFIED', 'ACTIVE');
      CREATE INDEX custom_domains_organization_idx ON custom_domains (organization_id, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE custom_domains, apps;
      DROP FUNCTION lock_deleted_app, app_lives`);
  }
}
