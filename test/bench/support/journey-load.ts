import type { DataSource } from 'typeorm';

/** How much to load, over 366 days. */
export interface JourneyVolume {
  sessions: number;
  goals: number;
  events: number;
}

const LINKS = 500;
const CAMPAIGNS = 50;

/**
 * Loads sessions of one app as if reported by its clients: millions of raw rows, and their rollups, in one statement
 * each.
 */
export async function loadJourneys(
  database: DataSource,
  organizationId: number,
  appId: number,
  { sessions, goals, events }: JourneyVolume,
): Promise<void> {
  const run = (statement: string, ...more: number[]) =>
    database.query(statement, [organizationId, appId, ...more]);
  await run(TARGETS);
  await run(SESSIONS, sessions);
  await run(GOALS, goals);
  await run(EVENTS, Math.round(events / sessions));
  await run(TRANSITIONS);
  for (const rollup of ROLLUPS) await run(rollup);
  await run(VISITORS, sessions);
}

const TARGETS = `
  WITH made AS (
    INSERT INTO links (organization_id, code, original_url, ios_app_id, created_at, updated_at)
    SELECT $1::bigint, 'j' || $1::bigint || '-' || n, 'https://example.com/' || n, $2::bigint, now(), now() FROM generate_series(1, ${LINKS}) AS n
  )
  INSERT INTO campaigns (organization_id, name, folded_name, code, original_url, created_at, updated_at)
  SELECT $1::bigint, 'Campaign ' || n, 'campaign ' || n, 'j' || $1::bigint || '-' || n, 'https://example.com/' || n, now(), now()
    FROM generate_series(1, ${CAMPAIGNS}) AS n`;

// Three in five come from a link or campaign; one in three reaches a goal.
const SESSIONS = `
  WITH targets AS MATERIALIZED (
    SELECT (SELECT array_agg(id) FROM links WHERE organization_id = $1) AS links,
           (SELECT array_agg(id) FROM campaigns WHERE organization_id = $1) AS campaigns
  )
  INSERT INTO funnel_sessions (organization_id, id, app_id, kind, tracked_link_id, platform, first_platform, started_at,
                               last_activity_at, day, stages, external_user_id, utm_source, events, purchased)
  SELECT $1::bigint, gen_random_uuid(), $2::bigint, kind,
         CASE kind WHEN 1 THEN links[1 + n % ${LINKS}] WHEN 2 THEN campaigns[1 + n % ${CAMPAIGNS}] END,
         platform, platform, at, at + n % 600 * interval '1 second', local_day($1, at),
         1 + CASE WHEN n % 3 = 0 THEN 128 ELSE 0 END + (n % 64) * 2,
         CASE WHEN n % 2 = 0 THEN 'member-' || (n::bigint * 7919) % ($3::int / 5 + 1) END,
         CASE WHEN n % 4 = 0 THEN 'source-' || n % 20 END, 0, n % 6 = 0
    FROM targets, generate_series(1, $3::int) AS n,
         LATERAL (SELECT now() - random() * interval '365 days' - (n % 2) * interval '1 second' AS at,
                         (ARRAY['WEB', 'IOS', 'ANDROID'])[1 + n % 3] AS platform,
                         CASE WHEN n % 10 < 4 THEN NULL WHEN n % 10 < 7 THEN 1 ELSE 2 END AS kind) AS made`;

const GOALS = `
  INSERT INTO goals (organization_id, app_id, session_id, goal_type, value, currency, platform, kind, tracked_link_id,
                     occurred_at, received_at, day)
  SELECT $1::bigint, $2::bigint, id, (ARRAY['purchase', 'purchase', 'signup', 'add_to_cart', 'subscription', 'goal-a', 'goal-b'])[1 + n % 7],
         (n % 10000) / 100.0, CASE WHEN n % 7 IN (0, 1, 3) THEN (ARRAY['USD', 'USD', 'EUR'])[1 + n % 3] END, platform,
         kind, tracked_link_id, started_at, started_at, day
    FROM (SELECT *, row_number() OVER () AS n FROM funnel_sessions WHERE organization_id = $1 AND app_id = $2) AS s
   WHERE n <= $3`;

const EVENTS = `
  INSERT INTO session_events (organization_id, app_id, session_id, event_type, received_at, day)
  SELECT $1::bigint, $2::bigint, id, 'event-' || (n * 31 + extract(epoch FROM started_at)::bigint) % 20, started_at, day
    FROM funnel_sessions, generate_series(1, $3::int) AS n
   WHERE organization_id = $1 AND app_id = $2`;

const TRANSITIONS = `
  INSERT INTO session_transitions (organization_id, app_id, session_id, from_platform, to_platform, occurred_at, day)
  SELECT $1::bigint, $2::bigint, id, 'WEB', 'IOS', started_at, day
    FROM funnel_sessions WHERE organization_id = $1 AND app_id = $2 AND platform = 'WEB' AND external_user_id IS NOT NULL`;

const NUMBER = (platform: string) => `array_position(ARRAY['WEB', 'IOS', 'ANDROID'], ${platform})`;
const SUBJECTS = `
  (VALUES (3, $2::bigint), (coalesce(kind, 3), 0), (kind, tracked_link_id)) AS subject (kind, subject_id)`;
const STAGES = Array.from({ length: 8 }, (_, i) => `sum(stages >> ${i} & 1)::int`).join(', ');

const ROLLUPS = [
  `INSERT INTO session_rollups (organization_id, app_id, subject_id, day, subject_kind, platform, slot, sessions,
                                converted, purchased, events, duration_seconds, stages)
   SELECT $1::bigint, $2::bigint, subject_id, day, kind, ${NUMBER('first_platform')}, 0, count(*), sum(stages >> 7 & 1),
          count(*) FILTER (WHERE purchased), 5 * count(*),
          sum(extract(epoch FROM last_activity_at - started_at))::bigint, ARRAY[${STAGES}]
     FROM funnel_sessions, LATERAL ${SUBJECTS}
    WHERE organization_id = $1 AND app_id = $2 AND subject_id IS NOT NULL
    GROUP BY kind, subject_id, day, first_platform`,
  `INSERT INTO session_source_rollups (organization_id, app_id, day, slot, sessions, converted, utm_source)
   SELECT $1::bigint, $2::bigint, day, 0, count(*), sum(stages >> 7 & 1), coalesce(utm_source, '')
     FROM funnel_sessions WHERE organization_id = $1 AND app_id = $2 GROUP BY day, utm_source`,
  `INSERT INTO session_user_rollups (organization_id, app_id, day, gap, slot, users)
   SELECT $1::bigint, $2::bigint, day, coalesce(day - before, -1), 0, count(*)
     FROM (SELECT external_user_id, day, lag(day) OVER (PARTITION BY external_user_id ORDER BY day) AS before
             FROM funnel_sessions
            WHERE organization_id = $1 AND app_id = $2 AND external_user_id IS NOT NULL
            GROUP BY external_user_id, day) AS days
    GROUP BY day, coalesce(day - before, -1)`,
  `INSERT INTO transition_rollups (organization_id, app_id, day, from_platform, to_platform, slot, transitions)
   SELECT $1::bigint, $2::bigint, day, 1, 2, 0, count(*)
     FROM session_transitions WHERE organization_id = $1 AND app_id = $2 GROUP BY day`,
  `INSERT INTO event_rollups (organization_id, app_id, day, slot, events, event_type)
   SELECT $1::bigint, $2::bigint, day, 0, count(*), event_type
     FROM session_events WHERE organization_id = $1 AND app_id = $2 GROUP BY day, event_type`,
  `INSERT INTO goal_rollups (organization_id, app_id, subject_id, day, subject_kind, platform, slot, goals, value,
                             goal_type, currency)
   SELECT $1::bigint, $2::bigint, subject_id, day, kind, ${NUMBER('platform')}, 0, count(*), sum(value), goal_type, coalesce(currency, '')
     FROM goals, LATERAL ${SUBJECTS}
    WHERE organization_id = $1 AND app_id = $2 AND subject_id IS NOT NULL
    GROUP BY kind, subject_id, day, platform, goal_type, currency`,
  `INSERT INTO campaign_goal_rollups (organization_id, campaign_id, day, slot, goals, value, goal_type, currency)
   SELECT $1, tracked_link_id, (occurred_at AT TIME ZONE 'UTC')::date, 0, count(*), sum(value), goal_type, coalesce(currency, '')
     FROM goals WHERE organization_id = $1 AND app_id = $2 AND kind = 2 GROUP BY 2, 3, goal_type, currency`,
];

// Ten times as many clicks as sessions, without raw rows, which are not read.
const VISITORS = `
  WITH days AS (
    INSERT INTO visitor_rollups (organization_id, app_id, day, slot, visitors, link_clicks, campaign_clicks)
    SELECT $1::bigint, app, current_date - n, slot, $3::int / 50, $3::int / 100, $3::int / 100
      FROM generate_series(0, 366) AS n, generate_series(0, 7) AS slot, (VALUES (0), ($2::bigint)) AS apps (app)
  )
  INSERT INTO visitor_week_rollups (organization_id, app_id, week, slot, visitors)
  SELECT DISTINCT $1::bigint, app, date_trunc('week', current_date - n)::date, slot, $3::int / 10
    FROM generate_series(0, 366) AS n, generate_series(0, 7) AS slot, (VALUES (0), ($2::bigint)) AS apps (app)`;
