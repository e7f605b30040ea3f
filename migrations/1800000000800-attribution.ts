import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attribution of app starts to clicks: tokens of pages that open apps, installs, re-engagements. */
export class Attribution1800000000800 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // The secret that signs tokens.
    await queryRunner.query(`
      CREATE TABLE deep_link_keys (
        name text PRIMARY KEY,
        key bytea NOT NULL
      )`);
    // A token of a page that opens an app. The row is inserted by whatever comes first: the page's fingerprint, its
    // store visit, or the counted click. browser_id is a random id that the page stores in the browser for a day.
    await queryRunner.query(`
      CREATE TABLE deep_link_tokens (
        issued_at timestamptz NOT NULL,
        token_hash bytea NOT NULL,
        organization_id bigint NOT NULL,
        kind smallint,
        tracked_link_id bigint,
        app_id bigint, -- for the visitor's phone
        click_id bigint,
        session_id uuid,
        store_visited_at timestamptz,
        matched_at timestamptz, -- when a start of the app was first attributed to the click
        ip_hash bytea, -- keyed; with the columns below it makes the fingerprint, which is deleted after a day
        user_agent text,
        resolution text,
        language text,
        device_model text,
        os_version text,
        other_app_id bigint, -- for the other platform
        browser_id text,
        PRIMARY KEY (issued_at, token_hash, organization_id)
      );
      CREATE INDEX deep_link_tokens_browser_idx ON deep_link_tokens (organization_id, browser_id)
        WHERE browser_id IS NOT NULL AND matched_at IS NOT NULL;
      CREATE INDEX deep_link_tokens_fingerprint_idx ON deep_link_tokens (issued_at) WHERE user_agent IS NOT NULL;
      CREATE INDEX deep_link_tokens_open_idx ON deep_link_tokens (organization_id, ip_hash, issued_at)
        WHERE ip_hash IS NOT NULL AND matched_at IS NULL`);
    // An app's attempt to resolve the link or campaign that opened it.
    await queryRunner.query(`
      CREATE TABLE deep_link_resolutions (
        organization_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        app_id bigint NOT NULL,
        kind smallint,
        tracked_link_id bigint,
        by_fingerprint boolean NOT NULL, -- not by token or code
        failure_reason text, -- null if it succeeded
        attempted_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, id)
      );
      CREATE INDEX deep_link_resolutions_time_idx ON deep_link_resolutions (organization_id, attempted_at)`);
    // The first start of an app on a device.
    await queryRunner.query(`
      CREATE TABLE app_installs (
        organization_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        app_id bigint NOT NULL,
        kind smallint,
        tracked_link_id bigint,
        session_id uuid NOT NULL,
        platform text NOT NULL CHECK (platform IN ('iOS', 'Android')),
        country text,
        os_version text,
        device_model text,
        installed_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, id)
      );
      CREATE INDEX app_installs_app_idx ON app_installs (organization_id, app_id, installed_at);
      CREATE UNIQUE INDEX app_installs_session_key ON app_installs (organization_id, session_id);
      CREATE INDEX app_installs_target_idx
        ON app_installs (organization_id, kind, tracked_link_id, installed_at)
        WHERE tracked_link_id IS NOT NULL;
      CREATE INDEX app_installs_time_idx ON app_installs (organization_id, installed_at)`);
    // A click of a person who already has the app.
    await queryRunner.query(`
      CREATE TABLE reengagements (
        organization_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        app_id bigint NOT NULL,
        kind smallint,
        tracked_link_id bigint,
        user_key bytea NOT NULL, -- hash of what identifies the person
        platform text NOT NULL CHECK (platform IN ('iOS', 'Android', 'Other')),
        successful boolean NOT NULL,
        occurred_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, id)
      );
      CREATE INDEX reengagements_campaign_idx
        ON reengagements (organization_id, tracked_link_id, occurred_at) INCLUDE (user_key)
        WHERE kind = 2;
      CREATE INDEX reengagements_time_idx ON reengagements (organization_id, occurred_at)`);
    // The last days on which an app, link or campaign brought a person back.
    await queryRunner.query(`
      CREATE TABLE reengaged_users (
        organization_id bigint NOT NULL,
        subject_kind smallint NOT NULL,
        subject_id bigint NOT NULL,
        user_key bytea NOT NULL, -- hash of what identifies the person
        last_day date NOT NULL, -- UTC
        previous_day date, -- the one before last_day
        PRIMARY KEY (organization_id, subject_kind, subject_id, user_key)
      )`);
    // A push token associated with a link or campaign, encrypted, and found by keyed hashes.
    await queryRunner.query(`
      CREATE TABLE link_associations (
        organization_id bigint NOT NULL,
        id bigint GENERATED BY DEFAULT AS IDENTITY,
        kind smallint NOT NULL,
        tracked_link_id bigint NOT NULL,
        app_id bigint NOT NULL,
        token_key bytea NOT NULL, -- blind index of the push token
        user_key bytea NOT NULL, -- blind index of what identifies the user
        sealed text NOT NULL, -- JSON of both, bound to the id
        associated_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, id)
      );
      CREATE UNIQUE INDEX link_associations_token_key
        ON link_associations (organization_id, token_key, kind, tracked_link_id);
      CREATE INDEX link_associations_user_idx ON link_associations (organization_id, user_key)`);
    // A page's report of how it tried to open an app; without an organization if no organization, or several, have an
    // app with that id.
    await queryRunner.query(`
      CREATE TABLE debug_schemes (
        id bigint GENERATED ALWAYS AS IDENTITY,
        organization_id bigint REFERENCES organizations,
        app_id bigint REFERENCES apps,
        received_at timestamptz NOT NULL,
        app_url text,
        scheme_end text,
        path_part text,
        android_package text,
        app_scheme text,
        intent_url text,
        PRIMARY KEY (received_at, id)
      );
      CREATE INDEX debug_schemes_organization_idx ON debug_schemes (organization_id, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE debug_schemes, link_associations, reengaged_users, reengagements, app_installs,
        deep_link_resolutions, deep_link_tokens, deep_link_keys`);
  }
}
