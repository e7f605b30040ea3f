import { ADVISORY_LOCK } from '../../../infrastructure/database/advisory-locks';
import type { Tx } from '../../../infrastructure/database/database';

/** A day on which a user had a session with an app. */
export interface UserDay {
  organization_id: number;
  app_id: number;
  /** Hexadecimal. */
  user_key: string;
  day: string;
}

/** A change to `session_user_rollups`. */
export interface UserCount {
  organization_id: number;
  app_id: number;
  day: string;
  /** Days since the user's previous day; -1 for the first one. */
  gap: number;
  users: number;
}

/**
 * Adds days of users. A new day counts with the gap since the user's previous day, and the user's next day, if there is
 * one, is counted again with its smaller gap.
 * @returns nothing for days that were known
 */
export async function addUserDays(tx: Tx, days: readonly UserDay[]): Promise<UserCount[]> {
  if (days.length === 0) return [];
  await tx.query(LOCK_USERS, [days.map((each) => each.user_key)]);
  const counts: UserCount[] = [];
  // Sequential, because a day may be adjacent to another one of the same user.
  for (const { organization_id, app_id, user_key, day } of days) {
    const added = await tx.query<Pick<UserCount, 'day' | 'gap' | 'users'>>(ADD_DAY, [
      organization_id,
      app_id,
      user_key,
      day,
    ]);
    counts.push(...added.map((each) => ({ organization_id, app_id, ...each })));
  }
  return counts;
}

// Serializes changes of a user, because concurrent ones would not see each other's days.
const LOCK_USERS = {
  name: 'sessions.lock-users',
  text: `
    SELECT pg_advisory_xact_lock(${ADVISORY_LOCK.sessionUsers}, hashtext(user_key))
      FROM unnest($1::text[]) AS user_key ORDER BY user_key`,
};

const neighbour = (which: string, side: string) => `
  (SELECT ${which}(day) FROM session_users
    WHERE organization_id = $1 AND app_id = $2 AND user_key = decode($3, 'hex') AND day ${side} $4::date)`;

// Correct whether or not the statement sees the day that it inserts.
const ADD_DAY = {
  name: 'sessions.add-user-day',
  text: `
    WITH added AS (
      INSERT INTO session_users (organization_id, app_id, user_key, day) VALUES ($1, $2, decode($3, 'hex'), $4)
      ON CONFLICT (organization_id, app_id, user_key, day) DO NOTHING
      RETURNING day
    ), neighbours AS (
      SELECT day, ${neighbour('max', '<')} AS before, ${neighbour('min', '>')} AS after FROM added
    )
    SELECT t.day, t.gap, t.users
      FROM neighbours,
           LATERAL (VALUES (day, coalesce(day - before, -1), 1),
                           (after, coalesce(after - before, -1), -1),
                           (after, after - day, 1)) AS t (day, gap, users)
     WHERE t.day IS NOT NULL`,
};
