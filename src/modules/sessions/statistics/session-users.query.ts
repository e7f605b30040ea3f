import { Injectable } from '@nestjs/common';
import type { DayRange } from '../../../common/date-range';
import type { AppKey } from './session-subject';
import { compactedMonths } from '../../../infrastructure/database/compacted-months';
import type { Tx } from '../../../infrastructure/database/database';

export interface SessionUsers {
  /** Number of unique users in the range. `fresh` counts those whose first day in the app is in the range. */
  unique: number;
  fresh: number;
  /** Unique users by day; days without users are omitted. */
  byDate: ReadonlyMap<string, number>;
}

interface Row {
  date: string;
  users: number;
  first: number;
  fresh: number;
}

/**
 * Users of an app over a range of the organization's days. Rollups count users by day and by the gap since their
 * previous day, so a user counts once per range: on the day whose previous day is before the range.
 */
@Injectable()
export class SessionUsersQuery {
  async run(tx: Tx, { organizationId, appId }: AppKey, range: DayRange): Promise<SessionUsers> {
    const rows = await tx.query<Row>(SQL, [organizationId, appId, range.startDate, range.endDate]);
    return {
      unique: rows.reduce((sum, row) => sum + row.first, 0),
      fresh: rows.reduce((sum, row) => sum + row.fresh, 0),
      byDate: new Map(rows.map(({ date, users }) => [date, users])),
    };
  }
}

const COMPACTED_MONTHS = compactedMonths('sessions');

const OF_APP = 'organization_id = $1 AND app_id = $2';

// The index is by day and gap, so that only users whose previous day is before the range are read.
const SQL = `
  SELECT days.day AS date, days.users, coalesce(fresh.users, 0) AS fresh,
         coalesce(fresh.users, 0) + coalesce(back.users, 0) AS first
    FROM (SELECT u.day, u.users
            FROM (${COMPACTED_MONTHS}) AS compacted
            JOIN session_user_days u ON ${OF_APP} AND u.day >= compacted.month
             AND u.day < (compacted.month + interval '1 month')::date
           WHERE u.day BETWEEN $3::date AND $4::date
          UNION ALL
          SELECT u.day, sum(u.users)::bigint
            FROM generate_series($3::date::timestamp, $4::date, interval '1 day') AS each (day)
            JOIN session_user_rollups u ON ${OF_APP} AND u.day = each.day::date
           WHERE date_trunc('month', each.day)::date NOT IN (${COMPACTED_MONTHS})
           GROUP BY u.day) AS days,
         LATERAL (SELECT sum(users)::bigint AS users FROM session_user_rollups
                   WHERE ${OF_APP} AND day = days.day AND gap = -1) AS fresh,
         LATERAL (SELECT sum(users)::bigint AS users FROM session_user_rollups
                   WHERE ${OF_APP} AND day = days.day AND gap > days.day - $3::date) AS back`;
