import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens of app-opening pages, funnel sessions, installs, and the rollups of install statistics. */
export class DeepLinks1700000001100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE deep_link_keys (
        name text PRIMARY KEY,
        key bytea NOT NULL
      )`);

    // The row is created by whichever comes first: the page's fingerprint, its store visit, or the click.
    // Until the click is counted, its owner is unknown. user_agent is deleted together with the other
    // fingerprint fields.
    await queryRunner.query(`
      CREATE TABLE deep_link_tokens (
        issued_at timestamptz NOT NULL,
        token_hash bytea NOT NULL,
        organization_id bigint,
        target_kind smallint,
        target_id bigint,
        app_id bigint,
        click_id bigint,
        session_id uuid,
        store_visited_at timestamptz,
        matched_at timestamptz,
        ip_hash bytea,
        user_agent text,
        resolution text,
        language text,
        device_model text,
        os_version text,
        PRIMARY KEY (issued_at, token_hash)
      )`);
    await queryRunner.query(
      `CREATE INDEX deep_link_tokens_fingerprint_idx ON deep_link_tokens (issued_at) WHERE user_agent IS NOT NULL`,
    );

    // stages: bit n is stage n + 1 of docs/concepts/sessions.md#stages, so that each is reached once.
    await queryRunner.query(`
      CREATE TABLE funnel_sessions (
        organization_id bigint NOT NULL,
        id uuid NOT NULL,
        app_id bigint,
        target_kind smallint,
        target_id bigint,
        platform text NOT NULL CHECK (platform IN ('IOS', 'ANDROID', 'WEB')),
        started_at timestamptz NOT NULL,
        stages smallint NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
    await queryRunner.query(
      `CREATE INDEX funnel_sessions_started_idx ON funnel_sessions (organization_id, started_at)`,
    );

    await queryRunner.query(`
      CREATE TABLE app_installs (
        organization_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        app_id bigint NOT NULL,
        target_kind smallint,
        target_id bigint,
        session_id uuid NOT NULL,
        platform text NOT NULL CHECK (platform IN ('iOS', 'Android')),
        country text,
        os_version text,
        device_model text,
        installed_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX app_installs_session_key ON app_installs (organization_id, session_id)`,
    );
    await queryRunner.query(
      `CREATE INDEX app_installs_app_idx ON app_installs (organization_id, app_id, installed_at)`,
    );
    await queryRunner.query(
      `CREATE INDEX app_installs_time_idx ON app_installs (organization_id, installed_at)`,
    );
    await queryRunner.query(`
      CREATE INDEX app_installs_target_idx ON app_installs (organization_id, target_kind, target_id, installed_at)
       WHERE target_id IS NOT NULL`);

    await queryRunner.query(`
      CREATE TABLE reengagements (
        organization_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        app_id bigint NOT NULL,
        target_kind smallint,
        target_id bigint,
        user_key bytea NOT NULL,
        platform text NOT NULL CHECK (platform IN ('iOS', 'Android', 'Other')),
        successful boolean NOT NULL,
        occurred_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
    await queryRunner.query(
      `CREATE INDEX reengagements_time_idx ON reengagements (organization_id, occurred_at)`,
    );
    // Users of a campaign, for days of any time zone.
    await queryRunner.query(`
      CREATE INDEX reengagements_campaign_idx ON reengagements (organization_id, target_id, occurred_at)
       INCLUDE (user_key) WHERE target_kind = 2`);
    // The last two UTC days on which a user returned, by link (1), campaign (2) and app (3).
    await queryRunner.query(`
      CREATE TABLE reengaged_users (
        organization_id bigint NOT NULL,
        subject_kind smallint NOT NULL,
        subject_id bigint NOT NULL,
        user_key bytea NOT NULL,
        last_day date NOT NULL,
        previous_day date,
        PRIMARY KEY (organization_id, subject_kind, subject_id, user_key)
      )`);

    await queryRunner.query(`
      CREATE TABLE deep_link_resolutions (
        organization_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        app_id bigint NOT NULL,
        target_kind smallint,
        target_id bigint,
        by_fingerprint boolean NOT NULL,
        failure_reason text,
        attempted_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
    await queryRunner.query(
      `CREATE INDEX deep_link_resolutions_time_idx ON deep_link_resolutions (organization_id, attempted_at)`,
    );

    // Sums by link (1), campaign (2) and app (3), of UTC days (1440 minutes) and, for campaigns, whose
    // statistics support time zones, also of quarter hours. terms[i] occurred counts[i] times; writers are
    // spread over the slots.
    await queryRunner.query(`
      CREATE TABLE funnel_rollups (
        organization_id bigint NOT NULL,
        subject_id bigint NOT NULL,
        starts_at timestamptz NOT NULL,
        subject_kind smallint NOT NULL,
        minutes smallint NOT NULL,
        slot smallint NOT NULL,
        clicks integer NOT NULL,
        ios_installs integer NOT NULL,
        android_installs integer NOT NULL,
        terms integer[] NOT NULL,
        counts integer[] NOT NULL,
        PRIMARY KEY (organization_id, subject_kind, subject_id, minutes, starts_at, slot)
      )`);
    await queryRunner.query(
      `CREATE INDEX funnel_rollups_quarters_idx ON funnel_rollups (organization_id, starts_at) WHERE minutes = 15`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'funnel_rollups',
      'deep_link_resolutions',
      'reengaged_users',
      'reengagements',
      'app_installs',
      'funnel_sessions',
      'deep_link_tokens',
      'deep_link_keys',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
