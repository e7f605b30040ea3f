import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Details of sessions, their events, transitions and goals, and the rollups of statistics. Days are in the
 * organization's time zone at the time of writing. Rollups exist per app (subject_kind 3), and per link (1)
 * and campaign (2) that led to it; app_id 0 means none; each transaction writes to its own slot.
 */
export class Journeys1700000003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION local_day(organization bigint, moment timestamptz) RETURNS date
      LANGUAGE sql STABLE PARALLEL SAFE AS
      $$ SELECT (moment AT TIME ZONE time_zone)::date FROM organizations WHERE id = organization $$`);
    // The first slot that is free or already held by this transaction; it is released at the end of the
    // transaction.
    await queryRunner.query(`
      CREATE FUNCTION rollup_slot() RETURNS smallint LANGUAGE sql VOLATILE AS $$
        SELECT slot::smallint FROM (SELECT generate_series(0, 30000) AS slot) AS slots
         WHERE pg_try_advisory_xact_lock(7234011, slot) LIMIT 1
      $$`);

    // Older versions still running write none of these. `day` is the day of started_at; a session without one
    // is in no rollup. platform is the current one, first_platform the one on which the session began.
    await queryRunner.query(`
      ALTER TABLE funnel_sessions
        ADD COLUMN day date,
        ADD COLUMN external_user_id text,
        ADD COLUMN goal_type text,
        ADD COLUMN device_info jsonb,
        ADD COLUMN utm_source text,
        ADD COLUMN utm_medium text,
        ADD COLUMN utm_term text,
        ADD COLUMN utm_content text,
        ADD COLUMN referrer text,
        ADD COLUMN landing_url text,
        ADD COLUMN country text,
        ADD COLUMN custom_id text,
        ADD COLUMN client_timestamp timestamptz,
        ADD COLUMN client_timezone text,
        ADD COLUMN last_activity_at timestamptz,
        ADD COLUMN first_platform text,
        ADD COLUMN events integer NOT NULL DEFAULT 0,
        ADD COLUMN purchased boolean NOT NULL DEFAULT false`);
    await queryRunner.query(
      `CREATE INDEX funnel_sessions_app_idx ON funnel_sessions (organization_id, app_id, started_at, id)`,
    );
    await queryRunner.query(`
      CREATE INDEX funnel_sessions_user_idx ON funnel_sessions (organization_id, external_user_id)
       WHERE external_user_id IS NOT NULL`);

    await queryRunner.query(`
      CREATE TABLE session_transitions (
        organization_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        app_id bigint NOT NULL,
        session_id uuid NOT NULL,
        from_platform text NOT NULL,
        to_platform text NOT NULL,
        occurred_at timestamptz NOT NULL,
        day date NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
    await queryRunner.query(
      `CREATE INDEX session_transitions_session_idx ON session_transitions (organization_id, session_id, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX session_transitions_day_idx ON session_transitions (organization_id, day)`,
    );

    // An event with a client time is stored once, however often it is sent.
    await queryRunner.query(`
      CREATE TABLE session_events (
        organization_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        app_id bigint NOT NULL,
        session_id uuid NOT NULL,
        event_type text NOT NULL,
        event_data jsonb,
        client_timestamp timestamptz,
        client_timezone text,
        received_at timestamptz NOT NULL,
        day date NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
    await queryRunner.query(
      `CREATE INDEX session_events_session_idx ON session_events (organization_id, session_id, id)`,
    );
    await queryRunner.query(`
      CREATE UNIQUE INDEX session_events_client_key ON session_events
        (organization_id, session_id, client_timestamp, event_type) WHERE client_timestamp IS NOT NULL`);
    await queryRunner.query(
      `CREATE INDEX session_events_day_idx ON session_events (organization_id, day, app_id)`,
    );

    // A transaction counts once per app (docs/concepts/statistics.md#duplicates), and so does a goal with a
    // client time. goal_type `purchase_<CURRENCY>` is stored as purchase in that currency.
    await queryRunner.query(`
      CREATE TABLE goals (
        organization_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        app_id bigint NOT NULL,
        session_id uuid NOT NULL,
        goal_type text NOT NULL,
        value numeric(20, 4) NOT NULL,
        currency text,
        transaction_id text,
        platform text NOT NULL,
        device_type text,
        target_kind smallint,
        target_id bigint,
        custom_id text,
        external_user_id text,
        client_timestamp timestamptz,
        occurred_at timestamptz NOT NULL,
        received_at timestamptz NOT NULL,
        day date NOT NULL,
        PRIMARY KEY (organization_id, id)
      )`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX goals_transaction_key ON goals (organization_id, app_id, transaction_id)
       WHERE transaction_id IS NOT NULL`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX goals_client_key ON goals
        (organization_id, session_id, client_timestamp, goal_type, coalesce(currency, ''))
       WHERE client_timestamp IS NOT NULL AND transaction_id IS NULL`);
    await queryRunner.query(`CREATE INDEX goals_day_idx ON goals (organization_id, day)`);
    await queryRunner.query(`
      CREATE INDEX goals_user_idx ON goals (organization_id, external_user_id) WHERE external_user_id IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX goals_custom_id_idx ON goals (organization_id, target_id, custom_id, day)
       WHERE custom_id IS NOT NULL AND target_kind = 2`);

    // By the day on which the session began: its later actions count there too, so that no rate exceeds 100
    // %. platform: 1 WEB, 2 IOS, 3 ANDROID, the one on which the session began. stages[n]: sessions that
    // reached stage n of docs/concepts/sessions.md#stages.
    await queryRunner.query(`
      CREATE TABLE session_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        subject_id bigint NOT NULL,
        day date NOT NULL,
        subject_kind smallint NOT NULL,
        platform smallint NOT NULL,
        slot smallint NOT NULL,
        sessions integer NOT NULL,
        converted integer NOT NULL,
        purchased integer NOT NULL,
        events bigint NOT NULL,
        duration_seconds bigint NOT NULL,
        stages integer[] NOT NULL,
        PRIMARY KEY (organization_id, subject_kind, subject_id, day, app_id, platform, slot)
      )`);
    await queryRunner.query(`
      CREATE TABLE session_source_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        day date NOT NULL,
        slot smallint NOT NULL,
        sessions integer NOT NULL,
        converted integer NOT NULL,
        utm_source text NOT NULL,
        PRIMARY KEY (organization_id, app_id, day, utm_source, slot)
      )`);
    await queryRunner.query(`
      CREATE TABLE transition_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        day date NOT NULL,
        from_platform smallint NOT NULL,
        to_platform smallint NOT NULL,
        slot smallint NOT NULL,
        transitions integer NOT NULL,
        PRIMARY KEY (organization_id, app_id, day, from_platform, to_platform, slot)
      )`);
    // Days on which sessions of users began. Users of a day are grouped by the gap in days since their
    // previous session day (-1: none), so that the users of any range are those whose gap reaches beyond its
    // start.
    await queryRunner.query(`
      CREATE TABLE session_users (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        day date NOT NULL,
        user_key bytea NOT NULL,
        PRIMARY KEY (organization_id, app_id, user_key, day)
      )`);
    await queryRunner.query(`CREATE INDEX session_users_day_idx ON session_users (organization_id, day)`);
    await queryRunner.query(`
      CREATE TABLE session_user_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        day date NOT NULL,
        gap integer NOT NULL,
        slot smallint NOT NULL,
        users integer NOT NULL,
        PRIMARY KEY (organization_id, app_id, day, gap, slot)
      )`);
    await queryRunner.query(`
      CREATE TABLE event_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        day date NOT NULL,
        slot smallint NOT NULL,
        events integer NOT NULL,
        event_type text NOT NULL,
        PRIMARY KEY (organization_id, app_id, day, event_type, slot)
      )`);
    // By the day on which the goal was reached. platform as above, of the goal; currency '' means none.
    await queryRunner.query(`
      CREATE TABLE goal_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        subject_id bigint NOT NULL,
        day date NOT NULL,
        subject_kind smallint NOT NULL,
        platform smallint NOT NULL,
        slot smallint NOT NULL,
        goals integer NOT NULL,
        value numeric(24, 4) NOT NULL,
        goal_type text NOT NULL,
        currency text NOT NULL,
        PRIMARY KEY (organization_id, subject_kind, subject_id, day, app_id, platform, goal_type, currency, slot)
      )`);
    await queryRunner.query(
      `CREATE INDEX goal_rollups_day_idx ON goal_rollups (organization_id, subject_kind, day)`,
    );

    // Contacts' activity (docs/concepts/sessions.md#activity), and the organization's metrics, for their cap.
    await queryRunner.query(`
      CREATE TABLE contact_activities (
        organization_id bigint NOT NULL,
        contact_id bigint NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        count bigint NOT NULL,
        sum numeric(24, 4) NOT NULL,
        metric text NOT NULL,
        PRIMARY KEY (organization_id, contact_id, metric)
      )`);
    await queryRunner.query(`
      CREATE TABLE activity_metrics (
        organization_id bigint NOT NULL,
        metric text NOT NULL,
        PRIMARY KEY (organization_id, metric)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'activity_metrics',
      'contact_activities',
      'goal_rollups',
      'event_rollups',
      'session_user_rollups',
      'session_users',
      'transition_rollups',
      'session_source_rollups',
      'session_rollups',
      'goals',
      'session_events',
      'session_transitions',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    await queryRunner.query('DROP INDEX funnel_sessions_user_idx, funnel_sessions_app_idx');
    await queryRunner.query(`
      ALTER TABLE funnel_sessions
        DROP COLUMN day, DROP COLUMN external_user_id, DROP COLUMN goal_type, DROP COLUMN device_info,
        DROP COLUMN utm_source, DROP COLUMN utm_medium, DROP COLUMN utm_term, DROP COLUMN utm_content,
        DROP COLUMN referrer, DROP COLUMN landing_url, DROP COLUMN country, DROP COLUMN custom_id,
        DROP COLUMN client_timestamp, DROP COLUMN client_timezone, DROP COLUMN last_activity_at, DROP COLUMN first_platform,
        DROP COLUMN events, DROP COLUMN purchased`);
    await queryRunner.query('DROP FUNCTION rollup_slot, local_day');
  }
}
