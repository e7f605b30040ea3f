import type { TestApp } from './test-app';

/** All figures of sessions in the rollups, summed over slots, without zeros. */
export function rolledUp(app: TestApp, organizationId: number): Promise<Record<string, unknown[]>> {
  return run(app, organizationId, {
    sessions: `
      SELECT subject_kind, subject_id, day, app_id, platform, sum(sessions)::int AS sessions,
             sum(converted)::int AS converted, sum(purchased)::int AS purchased, sum(events)::int AS events,
             sum(duration_seconds)::int AS duration,
             ${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `sum(stages[${n}])::int AS stage${n}`).join(', ')}
        FROM session_rollups WHERE organization_id = $1
       GROUP BY 1, 2, 3, 4, 5 HAVING sum(sessions) <> 0 ORDER BY 1, 2, 3, 4, 5`,
    sources: `
      SELECT app_id, day, utm_source, sum(sessions)::int AS sessions, sum(converted)::int AS converted
        FROM session_source_rollups WHERE organization_id = $1
       GROUP BY 1, 2, 3 HAVING sum(sessions) <> 0 ORDER BY 1, 2, 3`,
    goals: `
      SELECT subject_kind, subject_id, day, app_id, platform, goal_type, currency, sum(goals)::int AS goals,
             sum(value) AS value
        FROM goal_rollups WHERE organization_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7`,
    users: `
      SELECT app_id, day, gap, sum(users)::int AS users FROM session_user_rollups WHERE organization_id = $1
       GROUP BY 1, 2, 3 HAVING sum(users) <> 0 ORDER BY 1, 2, 3`,
    transitions: `
      SELECT app_id, day, from_platform, to_platform, sum(transitions)::int AS transitions
        FROM transition_rollups WHERE organization_id = $1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    funnel: `
      SELECT subject_kind, subject_id, starts_at, term, sum(count)::int AS count
        FROM funnel_rollups, unnest(terms, counts) AS t (term, count)
       WHERE organization_id = $1 AND subject_kind <= 3 AND minutes = 1440 AND term <= 10
       GROUP BY 1, 2, 3, 4 HAVING sum(count) <> 0 ORDER BY 1, 2, 3, 4`,
  });
}

const PLATFORM = (column: string) => `array_position(ARRAY['WEB', 'IOS', 'ANDROID'], ${column})`;

/** Sessions or goals, with every subject that they count for. */
const SUBJECTS = `
  (SELECT 3 AS subject_kind, x.app_id AS subject_id WHERE x.app_id IS NOT NULL
    UNION ALL SELECT x.kind, x.tracked_link_id WHERE x.tracked_link_id IS NOT NULL)`;

/** The same, with the totals of links, of campaigns and of neither. */
const SUBJECTS_AND_WAYS = `
  (SELECT * FROM ${SUBJECTS} AS subjects
    UNION ALL SELECT coalesce(x.kind, 3), 0 WHERE x.app_id IS NOT NULL)`;

/** The same figures, computed from the rows of sessions, goals, transitions and users by day. */
export function recomputed(app: TestApp, organizationId: number): Promise<Record<string, unknown[]>> {
  return run(app, organizationId, {
    sessions: `
      SELECT s.subject_kind, s.subject_id, (started_at AT TIME ZONE o.time_zone)::date AS day, app_id,
             ${PLATFORM('first_platform')} AS platform, count(*)::int AS sessions,
             count(*) FILTER (WHERE stages & 128 <> 0)::int AS converted,
             count(*) FILTER (WHERE purchased)::int AS purchased, sum(events)::int AS events,
             sum(floor(extract(epoch FROM last_activity_at - started_at)))::int AS duration,
             ${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `sum(stages >> ${n - 1} & 1)::int AS stage${n}`).join(', ')}
        FROM funnel_sessions x JOIN organizations o ON o.id = x.organization_id CROSS JOIN LATERAL ${SUBJECTS_AND_WAYS} s
       WHERE organization_id = $1 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
    sources: `
      SELECT app_id, (started_at AT TIME ZONE o.time_zone)::date AS day, coalesce(utm_source, '') AS utm_source,
             count(*)::int AS sessions, count(*) FILTER (WHERE stages & 128 <> 0)::int AS converted
        FROM funnel_sessions x JOIN organizations o ON o.id = x.organization_id
       WHERE organization_id = $1 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    goals: `
      SELECT s.subject_kind, s.subject_id, (occurred_at AT TIME ZONE o.time_zone)::date AS day, app_id,
             ${PLATFORM('platform')} AS platform, goal_type, coalesce(currency, '') AS currency,
             count(*)::int AS goals, sum(value) AS value
        FROM goals x JOIN organizations o ON o.id = x.organization_id CROSS JOIN LATERAL ${SUBJECTS_AND_WAYS} s
       WHERE organization_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7`,
    users: `
      SELECT app_id, day, coalesce(day - before, -1) AS gap, count(*)::int AS users
        FROM (SELECT app_id, day, lag(day) OVER (PARTITION BY app_id, user_key ORDER BY day) AS before
                FROM session_users WHERE organization_id = $1) AS days
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    transitions: `
      SELECT app_id, (occurred_at AT TIME ZONE o.time_zone)::date AS day, ${PLATFORM('from_platform')} AS from_platform,
             ${PLATFORM('to_platform')} AS to_platform, count(*)::int AS transitions
        FROM session_transitions x JOIN organizations o ON o.id = x.organization_id
       WHERE organization_id = $1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    funnel: `
      SELECT s.subject_kind, s.subject_id, date_trunc('day', started_at, 'UTC') AS starts_at, term, count(*)::int AS count
        FROM funnel_sessions x CROSS JOIN LATERAL ${SUBJECTS} s
        CROSS JOIN LATERAL (SELECT 10 AS term UNION ALL
                            SELECT n FROM generate_series(1, 8) AS n WHERE stages >> (n - 1) & 1 = 1) AS t
       WHERE organization_id = $1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  });
}

async function run(
  app: TestApp,
  organizationId: number,
  queries: Record<string, string>,
): Promise<Record<string, unknown[]>> {
  const entries = await Promise.all(
    Object.entries(queries).map(async ([name, sql]) => [name, await app.sql(sql, [organizationId])] as const),
  );
  return Object.fromEntries(entries);
}
