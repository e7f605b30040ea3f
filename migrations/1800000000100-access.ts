import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations, the users and keys that act for them, and stored responses (docs/concepts/access.md). */
export class Access1800000000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE EXTENSION IF NOT EXISTS btree_gin`);
    await queryRunner.query(`CREATE EXTENSION IF NOT EXISTS pg_trgm`);
    // A tenant. Deleted ones stay, with deleted_at.
    await queryRunner.query(`
      CREATE TABLE organizations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
        time_zone text NOT NULL,
        base_currency text NOT NULL CHECK (base_currency ~ '^[A-Z]{3}$'),
        default_region text NOT NULL CHECK (default_region ~ '^[A-Z]{2}$'),
        plan text NOT NULL CHECK (plan IN ('FREE', 'PRO', 'ENTERPRISE')),
        service_rate_per_minute integer NOT NULL DEFAULT 30 CHECK (service_rate_per_minute > 0),
        max_custom_fields integer NOT NULL DEFAULT 50 CHECK (max_custom_fields >= 0),
        max_custom_field_name integer NOT NULL DEFAULT 50 CHECK (max_custom_field_name > 0),
        max_custom_field_value integer NOT NULL DEFAULT 2000 CHECK (max_custom_field_value > 0),
        custom_metric_limit integer NOT NULL DEFAULT 50 CHECK (custom_metric_limit >= 0),
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        deleted_at timestamptz,
        plan_started_on date,
        append_click_id boolean NOT NULL DEFAULT false,
        allow_http_destinations boolean NOT NULL DEFAULT false,
        time_zone_changed_at timestamptz,
        brand_name text,
        logo_url text,
        brand_color text
      );
      CREATE INDEX organizations_deleted ON organizations (id) WHERE deleted_at IS NOT NULL`);
    // The day of a time in the organization's time zone.
    await queryRunner.query(`
      CREATE FUNCTION local_day(organization bigint, moment timestamptz) RETURNS date
        LANGUAGE sql STABLE PARALLEL SAFE AS $$
        SELECT (moment AT TIME ZONE time_zone)::date FROM organizations WHERE id = organization
      $$`);
    // A user who signs in to the console, and whose permissions API keys have.
    await queryRunner.query(`
      CREATE TABLE users (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations,
        username text NOT NULL CHECK (char_length(username) BETWEEN 3 AND 100),
        password_hash text,
        permissions text[] NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        role text NOT NULL DEFAULT 'ADMIN' CHECK (role IN ('VIEWER', 'EDITOR', 'ADMIN')),
        email text CHECK (char_length(email) BETWEEN 3 AND 254),
        email_confirmed boolean NOT NULL DEFAULT false,
        name text CHECK (char_length(name) BETWEEN 1 AND 100),
        last_sign_in_at timestamptz,
        UNIQUE (organization_id, id)
      );
      CREATE UNIQUE INDEX users_email_key ON users (lower(email));
      CREATE UNIQUE INDEX users_username_key ON users (lower(username))`);
    // A key of the Service API. The composite foreign key ensures that it acts for a user of its organization. After a
    // rotation with an overlap, the previous key works until previous_expires_at.
    await queryRunner.query(`
      CREATE TABLE api_keys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL,
        user_id bigint NOT NULL,
        name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
        hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
        prefix text NOT NULL CHECK (char_length(prefix) = 12),
        created_at timestamptz NOT NULL,
        last_used_at timestamptz,
        scopes text[] NOT NULL DEFAULT '{*}' CHECK (cardinality(scopes) > 0),
        expires_at timestamptz,
        previous_hash bytea UNIQUE CHECK (octet_length(previous_hash) = 32),
        previous_expires_at timestamptz,
        previous_last_used_at timestamptz,
        CONSTRAINT api_keys_user_fkey FOREIGN KEY (organization_id, user_id)
          REFERENCES users (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT api_keys_previous_check CHECK ((previous_hash IS NULL) = (previous_expires_at IS NULL))
      );
      CREATE INDEX api_keys_organization_user_idx ON api_keys (organization_id, user_id)`);
    // An add-on that an organization has booked.
    await queryRunner.query(`
      CREATE TABLE add_ons (
        organization_id bigint NOT NULL REFERENCES organizations,
        code text NOT NULL,
        active_until timestamptz,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, code)
      )`);
    // An address or range from which the keys of an organization may be used.
    await queryRunner.query(`
      CREATE TABLE ip_allow_list (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations,
        cidr text NOT NULL,
        label text,
        created_at timestamptz NOT NULL,
        CONSTRAINT ip_allow_list_organization_cidr_key UNIQUE (organization_id, cidr)
      )`);
    // Limits set by the platform for an organization; null: the limit of the plan.
    await queryRunner.query(`
      CREATE TABLE organization_limits (
        organization_id bigint PRIMARY KEY REFERENCES organizations,
        links bigint,
        monthly_clicks bigint,
        contacts bigint,
        concurrent_imports integer,
        import_rows integer,
        webhook_endpoints integer,
        live_listeners integer,
        click_retention_days integer,
        event_retention_days integer,
        rollup_retention_months integer,
        audit_retention_months integer,
        apps integer,
        custom_domains integer,
        campaigns integer,
        contact_groups integer,
        api_keys integer,
        users integer,
        invitations integer,
        allow_list_entries integer
      )`);
    // What QR codes of an organization have in common. The logo is a PNG.
    await queryRunner.query(`
      CREATE TABLE qr_settings (
        organization_id bigint PRIMARY KEY REFERENCES organizations,
        presets json NOT NULL,
        logo bytea CHECK (octet_length(logo) <= 262144)
      )`);
    // A console session.
    await queryRunner.query(`
      CREATE TABLE console_sessions (
        token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        opened_by text NOT NULL DEFAULT 'PASSWORD',
        browser text,
        operating_system text,
        last_seen_at timestamptz,
        CHECK (opened_by IN ('PASSWORD', 'OIDC', 'INVITATION', 'LINK'))
      );
      CREATE INDEX console_sessions_expires_idx ON console_sessions (expires_at);
      CREATE UNIQUE INDEX console_sessions_id_key ON console_sessions (id);
      CREATE INDEX console_sessions_user_idx ON console_sessions (user_id)`);
    // Recent failed sign-ins, by a hash of the user name, because people type passwords into the wrong field.
    await queryRunner.query(`
      CREATE TABLE login_failures (
        username_hash bytea PRIMARY KEY CHECK (octet_length(username_hash) = 32), -- SHA-256
        failed_at timestamptz[] NOT NULL,
        locked_until timestamptz,
        last_at timestamptz NOT NULL
      );
      CREATE INDEX login_failures_last_idx ON login_failures (last_at)`);
    // A link that signs a user in once (docs/security.md#sign-in-links).
    await queryRunner.query(`
      CREATE TABLE sign_in_links (
        token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        expires_at timestamptz NOT NULL,
        used_at timestamptz
      );
      CREATE INDEX sign_in_links_expires_idx ON sign_in_links (expires_at);
      CREATE INDEX sign_in_links_user_idx ON sign_in_links (user_id)`);
    // An open invitation into an organization; deleted with the user who made it.
    await queryRunner.query(`
      CREATE TABLE invitations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations,
        token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
        email text CHECK (char_length(email) BETWEEN 3 AND 254),
        role text NOT NULL CHECK (role IN ('VIEWER', 'EDITOR', 'ADMIN')),
        permissions text[] NOT NULL,
        created_by bigint REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX invitations_created_by_idx ON invitations (created_by);
      CREATE INDEX invitations_organization_idx ON invitations (organization_id, id)`);
    // A sign-in that has begun, whose browser is at the identity provider.
    await queryRunner.query(`
      CREATE TABLE oidc_sign_ins (
        state_hash bytea PRIMARY KEY CHECK (octet_length(state_hash) = 32), -- SHA-256 of the state parameter
        browser_hash bytea NOT NULL CHECK (octet_length(browser_hash) = 32), -- of the cookie of the browser that began it
        code_verifier text NOT NULL,
        nonce text NOT NULL,
        return_to text NOT NULL,
        invitation_id bigint,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX oidc_sign_ins_expires_idx ON oidc_sign_ins (expires_at)`);
    // An account at an identity provider that a user signs in with.
    await queryRunner.query(`
      CREATE TABLE user_identities (
        issuer text NOT NULL,
        subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        organization_id bigint NOT NULL REFERENCES organizations,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (issuer, subject),
        CONSTRAINT user_identities_user_key UNIQUE (user_id, issuer)
      )`);
    // Who changed what, when, and from which address.
    await queryRunner.query(`
      CREATE TABLE audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY,
        organization_id bigint NOT NULL REFERENCES organizations,
        at timestamptz NOT NULL,
        actor_type text NOT NULL,
        actor_id bigint,
        actor_name text,
        actor_key text, -- of an app: secret or publishable
        ip text NOT NULL,
        action text NOT NULL,
        resource_type text NOT NULL,
        resource_id text,
        changes jsonb NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
    // A stored response to a request with an Idempotency-Key. scope is the SHA-256 of path and key, fingerprint
    // that of query and body; subject is the person whose data the response contains.
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        organization_id bigint NOT NULL REFERENCES organizations,
        scope bytea NOT NULL CHECK (octet_length(scope) = 32),
        fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
        status smallint NOT NULL CHECK (status BETWEEN 200 AND 499),
        headers jsonb NOT NULL,
        body text,
        created_at timestamptz NOT NULL,
        subject text,
        PRIMARY KEY (organization_id, scope)
      );
      CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
      CREATE INDEX idempotency_keys_subject_idx ON idempotency_keys (organization_id, subject)
        WHERE subject IS NOT NULL`);
    // A key of ENCRYPTION_KEYS, and a value encrypted with it to verify it.
    await queryRunner.query(`
      CREATE TABLE encryption_keys (
        id text PRIMARY KEY,
        check_value text NOT NULL,
        active_since timestamptz NOT NULL
      )`);
    // The secret of blind indexes, encrypted: one row.
    await queryRunner.query(`
      CREATE TABLE blind_index_secrets (
        id bigint NOT NULL CHECK (id = 1),
        organization_id bigint NOT NULL CHECK (organization_id = 0),
        secret text NOT NULL,
        PRIMARY KEY (id, organization_id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE blind_index_secrets, encryption_keys, idempotency_keys, audit_log, user_identities,
        oidc_sign_ins, invitations, sign_in_links, login_failures, console_sessions, qr_settings,
        organization_limits, ip_allow_list, add_ons, api_keys, users, organizations;
      DROP FUNCTION local_day`);
  }
}
