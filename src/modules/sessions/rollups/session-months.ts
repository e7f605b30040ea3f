import type { Compaction } from '../../../infrastructure/database/compacted-months';

const IN_MONTH = `organization_id = $1 AND day >= $2::date AND day < ($2::date + interval '1 month')::date`;

/** Compacts goals and users, so that queries of a year read months, and days at both ends only. */
export const SESSION_MONTHS: Compaction = {
  family: 'sessions',
  hasDays: `(EXISTS (SELECT FROM goal_rollups g WHERE g.organization_id = $1)
             OR EXISTS (SELECT FROM session_user_rollups u WHERE u.organization_id = $1))`,
  statements: [
    `DELETE FROM goal_months WHERE organization_id = $1 AND month = $2`,
    // Excludes subject 0, the total, which is not ranked.
    `INSERT INTO goal_months (organization_id, subject_kind, month, app_id, subject_id, goal_type, currency, goals)
   SELECT organization_id, subject_kind, $2, app_id, subject_id, goal_type, currency, sum(goals)
     FROM goal_rollups
    WHERE ${IN_MONTH} AND subject_kind IN (1, 2) AND subject_id <> 0
    GROUP BY organization_id, subject_kind, app_id, subject_id, goal_type, currency
   HAVING sum(goals) <> 0`,
    `DELETE FROM session_user_days WHERE ${IN_MONTH}`,
    `INSERT INTO session_user_days (organization_id, app_id, day, users)
   SELECT organization_id, app_id, day, sum(users)
     FROM session_user_rollups
    WHERE ${IN_MONTH}
    GROUP BY organization_id, app_id, day
   HAVING sum(users) <> 0`,
  ],
};
