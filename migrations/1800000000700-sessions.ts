import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of apps, what happens in them, and sums by the organization's days. */
export class Sessions1800000000700 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // The first slot that is free or that this transaction has already locked; the lock ends with the transaction.
    await queryRunner.query(`
      CREATE FUNCTION rollup_slot() RETURNS smallint LANGUAGE sql AS $$
        SELECT slot::smallint FROM (SELECT generate_series(0, 30000) AS slot) AS slots
         WHERE pg_try_advisory_xact_lock(7234011, slot) LIMIT 1
      $$`);
    // A session. platform is the current one, first_platform the one on which it started. Bit n of stages is stage n +
    // 1 of docs/concepts/sessions.md#stages, reached at stage_times[n + 1].
    await queryRunner.query(`
      CREATE TABLE funnel_sessions (
        organization_id bigint NOT NULL,
        id uuid NOT NULL,
        app_id bigint,
        kind smallint,
        tracked_link_id bigint,
        platform text NOT NULL CHECK (platform IN ('IOS', 'ANDROID', 'WEB')),
        started_at timestamptz NOT NULL,
        stages smallint NOT NULL,
        day date NOT NULL, -- of started_at in the organization's time zone
        external_user_id text,
        goal_type text, -- default of its goals
        device_info jsonb,
        utm_source text,
        utm_medium text,
        utm_term text,
        utm_content text,
        referrer text,
        landing_url text,
        country text,
        custom_id text,
        client_timestamp timestamptz,
        client_timezone text,
        last_activity_at timestamptz NOT NULL,
        first_platform text NOT NULL,
        events integer NOT NULL DEFAULT 0,
        publishable boolean NOT NULL DEFAULT false, -- begun by the publishable key of its app, which may read it
        purchased boolean NOT NULL DEFAULT false,
        click_id bigint,
        stage_times timestamptz[] NOT NULL DEFAULT '{}',
        PRIMARY KEY (organization_id, id)
      );
      CREATE INDEX funnel_sessions_app_idx ON funnel_sessions (organization_id, app_id, started_at, id);
      CREATE INDEX funnel_sessions_started_idx ON funnel_sessions (organization_id, started_at);
      CREATE INDEX funnel_sessions_target_idx
        ON funnel_sessions (organization_id, kind, tracked_link_id, started_at)
        WHERE tracked_link_id IS NOT NULL;
      CREATE INDEX funnel_sessions_user_idx ON funnel_sessions (organization_id, external_user_id)
        WHERE external_user_id IS NOT NULL`);
    // An event of a session. An event with a client time is stored once, however often it is sent.
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
        day date NOT NULL, -- on which the session began, in the organization's time zone
        PRIMARY KEY (organization_id, id)
      );
      CREATE UNIQUE INDEX session_events_client_key
        ON session_events (organization_id, session_id, client_timestamp, event_type)
        WHERE client_timestamp IS NOT NULL;
      CREATE INDEX session_events_day_idx ON session_events (organization_id, day, app_id);
      CREATE INDEX session_events_session_idx ON session_events (organization_id, session_id, id)`);
    // A session's transition from one platform to another, such as from the web to the app.
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
      );
      CREATE INDEX session_transitions_day_idx ON session_transitions (organization_id, day);
      CREATE INDEX session_transitions_session_idx ON session_transitions (organization_id, session_id, id)`);
    // A goal that a session has reached. Goals with a transaction count once per app and goal type, and goals with a
    // client time once.
    await queryRunner.query(`
      CREATE TABLE goals (
        organization_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        app_id bigint NOT NULL,
        session_id uuid NOT NULL,
        goal_type text NOT NULL, -- purchase for purchase_<CURRENCY> too
        value numeric(20,4) NOT NULL,
        currency text NOT NULL,
        transaction_id text,
        platform text NOT NULL,
        device_type text,
        kind smallint,
        tracked_link_id bigint,
        custom_id text,
        external_user_id text,
        client_timestamp timestamptz,
        occurred_at timestamptz NOT NULL,
        received_at timestamptz NOT NULL,
        day date NOT NULL, -- of occurred_at in the organization's time zone
        PRIMARY KEY (organization_id, id)
      );
      CREATE UNIQUE INDEX goals_client_key
        ON goals (organization_id, session_id, client_timestamp, goal_type, currency)
        WHERE client_timestamp IS NOT NULL AND transaction_id IS NULL;
      CREATE INDEX goals_custom_id_idx ON goals (organization_id, tracked_link_id, custom_id, day)
        WHERE custom_id IS NOT NULL AND kind = 2;
      CREATE INDEX goals_day_idx ON goals (organization_id, day);
      CREATE INDEX goals_session_idx ON goals (organization_id, session_id);
      CREATE UNIQUE INDEX goals_type_transaction_key
        ON goals (organization_id, app_id, transaction_id, goal_type)
        WHERE transaction_id IS NOT NULL;
      CREATE INDEX goals_user_idx ON goals (organization_id, external_user_id)
        WHERE external_user_id IS NOT NULL`);
    // Locks sessions one organization at a time, because a Citus statement can lock rows of one node only. All locks
    // are in sorted order, to avoid deadlocks. LATERAL forces index look-ups. Arrays in (SELECT ...) hide their length
    // from the planner, which would otherwise plan each call anew.
    await queryRunner.query(`
      CREATE FUNCTION lock_sessions(organizations bigint[], apps bigint[], sessions uuid[])
        RETURNS TABLE (organization_id bigint, session_id uuid, app_id bigint, kind smallint,
          tracked_link_id bigint, external_user_id text, day date, started_at timestamptz,
          last_activity_at timestamptz, platform integer, contact_id bigint)
        LANGUAGE plpgsql ROWS 20 AS $$
        DECLARE
          organization bigint;
          own_apps bigint[];
          own_sessions uuid[];
        BEGIN
          FOR organization, own_apps, own_sessions IN
            SELECT o, array_agg(a), array_agg(s)
              FROM unnest((SELECT organizations), (SELECT apps), (SELECT sessions)) AS u (o, a, s)
             GROUP BY o ORDER BY o
          LOOP
            RETURN QUERY
              WITH locked AS MATERIALIZED (
                SELECT s.*
                  FROM (SELECT DISTINCT u.app_id, u.session_id
                          FROM unnest((SELECT own_apps), (SELECT own_sessions)) AS u (app_id, session_id)
                         ORDER BY u.session_id) AS g,
                       LATERAL (SELECT f.organization_id, f.id, f.app_id, f.kind, f.tracked_link_id,
                                       f.external_user_id, f.day, f.started_at, f.last_activity_at,
                                       array_position(ARRAY['WEB', 'IOS', 'ANDROID'], f.first_platform)
                                  FROM funnel_sessions AS f
                                 WHERE f.organization_id = organization AND f.id = g.session_id
                                   AND f.app_id = g.app_id
                                   FOR NO KEY UPDATE) AS s
              ), members AS MATERIALIZED (
                SELECT c.*
                  FROM (SELECT DISTINCT l.external_user_id FROM locked AS l WHERE l.external_user_id IS NOT NULL
                         ORDER BY l.external_user_id) AS g,
                       LATERAL (SELECT c.id, c.external_user_id FROM contacts AS c
                                 WHERE c.organization_id = organization AND c.external_user_id = g.external_user_id
                                   AND c.deactivated_at IS NULL
                                   FOR KEY SHARE) AS c
              )
              SELECT l.*, m.id FROM locked AS l LEFT JOIN members AS m ON m.external_user_id = l.external_user_id;
          END LOOP;
        END
      $$`);
    // A separate function, because rows returned by lock_sessions may be newer than the caller's snapshot.
    await queryRunner.query(`
      CREATE FUNCTION move_sessions(organizations bigint[], sessions uuid[], added integer[],
          active timestamptz[])
        RETURNS TABLE (organization_id bigint, session_id uuid)
        LANGUAGE plpgsql ROWS 20 AS $$
        DECLARE
          organization bigint;
          own_sessions uuid[];
          own_added integer[];
          own_active timestamptz[];
        BEGIN
          FOR organization, own_sessions, own_added, own_active IN
            SELECT o, array_agg(s), array_agg(n), array_agg(t)
              FROM unnest((SELECT organizations), (SELECT sessions), (SELECT added), (SELECT active))
                AS u (o, s, n, t)
             GROUP BY o ORDER BY o
          LOOP
            RETURN QUERY
              UPDATE funnel_sessions AS f SET events = f.events + u.added, last_activity_at = u.active_at
                FROM unnest((SELECT own_sessions), (SELECT own_added), (SELECT own_active))
                  AS u (session_id, added, active_at)
               WHERE f.organization_id = organization AND f.id = u.session_id
              RETURNING f.organization_id, f.id;
          END LOOP;
        END
      $$`);
    // Sums of sessions by app, link or campaign: by UTC day (1440 minutes) and, for campaigns, by quarter of an hour.
    // terms[i] occurred counts[i] times.
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
        ios_clicks integer NOT NULL DEFAULT 0,
        android_clicks integer NOT NULL DEFAULT 0,
        PRIMARY KEY (organization_id, subject_kind, subject_id, minutes, starts_at, slot)
      );
      CREATE INDEX funnel_rollups_days_idx ON funnel_rollups (organization_id, starts_at) WHERE minutes = 1440;
      CREATE INDEX funnel_rollups_quarters_idx ON funnel_rollups (organization_id, starts_at) WHERE minutes = 15`);
    // Sessions of an app, link or campaign by the day on which they started. Later actions count on that day too, so
    // that no rate exceeds 100 %. stages[n] is the number that reached stage n of docs/concepts/sessions.md#stages.
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
      );
      CREATE INDEX session_rollups_day_idx ON session_rollups (organization_id, day)`);
    // Sessions of an app from one source on a day.
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
    // Transitions of sessions of an app from one platform to another on a day.
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
    // Goals of one type and currency that sessions of an app, link or campaign reached on a day.
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
        value numeric(24,4) NOT NULL,
        goal_type text NOT NULL,
        currency text NOT NULL,
        PRIMARY KEY (organization_id, subject_kind, subject_id, day, app_id, platform, goal_type, currency, slot)
      );
      CREATE INDEX goal_rollups_day_idx ON goal_rollups (organization_id, subject_kind, day)`);
    // Goals of one type and currency that sessions of a campaign reached on a UTC day.
    await queryRunner.query(`
      CREATE TABLE campaign_goal_rollups (
        organization_id bigint NOT NULL,
        campaign_id bigint NOT NULL,
        day date NOT NULL,
        slot smallint NOT NULL,
        goals integer NOT NULL,
        value numeric(24,4) NOT NULL,
        goal_type text NOT NULL,
        currency text NOT NULL,
        PRIMARY KEY (organization_id, campaign_id, day, goal_type, currency, slot)
      );
      CREATE INDEX campaign_goal_rollups_day_idx ON campaign_goal_rollups (organization_id, day)`);
    // A day on which a user started a session.
    await queryRunner.query(`
      CREATE TABLE session_users (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        day date NOT NULL,
        user_key bytea NOT NULL,
        PRIMARY KEY (organization_id, app_id, user_key, day)
      );
      CREATE INDEX session_users_day_idx ON session_users (organization_id, day)`);
    // Users of an app on a day, by the days since their previous one (-1: none). The users of a range are those whose
    // gap reaches back beyond its start.
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
    // Goals of one type and currency of a link or campaign in an app, in a finished month.
    await queryRunner.query(`
      CREATE TABLE goal_months (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        subject_id bigint NOT NULL,
        goals bigint NOT NULL,
        month date NOT NULL,
        subject_kind smallint NOT NULL,
        goal_type text NOT NULL,
        currency text NOT NULL,
        PRIMARY KEY (organization_id, subject_kind, month, app_id, subject_id, goal_type, currency)
      )`);
    // Unique users of an app on a day of a finished month.
    await queryRunner.query(`
      CREATE TABLE session_user_days (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        users bigint NOT NULL,
        day date NOT NULL,
        PRIMARY KEY (organization_id, app_id, day)
      )`);
    // Events of the sessions of an app, link or campaign on a day.
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
    // Events of an app's sessions on a day, by the days since the session's previous such event (-1: none). An empty
    // event_type stands for all events.
    await queryRunner.query(`
      CREATE TABLE event_day_rollups (
        organization_id bigint NOT NULL,
        app_id bigint NOT NULL,
        day date NOT NULL, -- in the organization's time zone
        gap integer NOT NULL,
        events bigint NOT NULL,
        sessions bigint NOT NULL,
        event_type text NOT NULL,
        PRIMARY KEY (organization_id, app_id, day, event_type, gap)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE event_day_rollups, event_rollups, session_user_days, goal_months,
        session_user_rollups, session_users, campaign_goal_rollups, goal_rollups, transition_rollups,
        session_source_rollups, session_rollups, funnel_rollups, goals, session_transitions, session_events,
        funnel_sessions;
      DROP FUNCTION move_sessions, lock_sessions, rollup_slot`);
  }
}
