import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations, their users and keys, and the data for access checks (docs/concepts/access.md). */
export class Access1700000000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
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
        deleted_at timestamptz
      )`);
    await queryRunner.query(`
      CREATE TABLE users (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations (id),
        username text NOT NULL CHECK (char_length(username) BETWEEN 3 AND 100),
        password_hash text NOT NULL,
        permissions text[] NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT users_username_key UNIQUE (username),
        CONSTRAINT users_organization_id_id_key UNIQUE (organization_id, id)
      )`);
    // The composite foreign key prevents a key that acts for a user of another organization.
    await queryRunner.query(`
      CREATE TABLE api_keys (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL,
        user_id bigint NOT NULL,
        name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
        hash bytea NOT NULL CHECK (octet_length(hash) = 32),
        prefix text NOT NULL CHECK (char_length(prefix) = 12),
        created_at timestamptz NOT NULL,
        last_used_at timestamptz,
        CONSTRAINT api_keys_hash_key UNIQUE (hash),
        CONSTRAINT api_keys_user_fkey FOREIGN KEY (organization_id, user_id)
          REFERENCES users (organization_id, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      'CREATE INDEX api_keys_organization_user_idx ON api_keys (organization_id, user_id)',
    );
    await queryRunner.query(`
      CREATE TABLE ip_allow_list (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organizations (id),
        cidr text NOT NULL,
        label text,
        created_at timestamptz NOT NULL,
        CONSTRAINT ip_allow_list_organization_cidr_key UNIQUE (organization_id, cidr)
      )`);
    await queryRunner.query(`
      CREATE TABLE add_ons (
        organization_id bigint NOT NULL REFERENCES organizations (id),
        code text NOT NULL,
        active_until timestamptz,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, code)
      )`);
    await queryRunner.query(`
      CREATE TABLE console_sessions (
        token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX console_sessions_user_idx ON console_sessions (user_id)');
    await queryRunner.query('CREATE INDEX console_sessions_expires_idx ON console_sessions (expires_at)');
    // Keyed by a hash, because people type passwords into the wrong field.
    await queryRunner.query(`
      CREATE TABLE login_failures (
        username_hash bytea PRIMARY KEY CHECK (octet_length(username_hash) = 32),
        failed_at timestamptz[] NOT NULL,
        locked_until timestamptz,
        last_at timestamptz NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX login_failures_last_idx ON login_failures (last_at)');
    await queryRunner.query(`
      CREATE TABLE audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY,
        organization_id bigint NOT NULL REFERENCES organizations (id),
        at timestamptz NOT NULL,
        actor_type text NOT NULL,
        actor_id bigint,
        actor_name text,
        ip text NOT NULL,
        action text NOT NULL,
        resource_type text NOT NULL,
        resource_id text,
        changes jsonb NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP TABLE audit_log, login_failures, console_sessions, add_ons, ip_allow_list, api_keys, users, organizations`,
    );
  }
}
