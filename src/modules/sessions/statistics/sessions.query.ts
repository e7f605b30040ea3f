import { Injectable } from '@nestjs/common';
import type { SessionPlatform } from '../funnel';
import type { DayRange } from '../../../common/date-range';
import { type SessionSubject, OF_SUBJECT, platformOf, subjectParameters } from './session-subject';
import type { Tx } from '../../../infrastructure/database/database';

/** Sums of sessions. Later actions count on the day and platform on which the session started. */
export interface SessionSums {
  sessions: number;
  /** Sessions with a goal. */
  converted: number;
  /** Sessions with a purchase. */
  purchased: number;
  events: number;
  durationSeconds: number;
}

export interface SessionFigures {
  total: SessionSums;
  /** Days without sessions are omitted. */
  byDate: ReadonlyMap<string, SessionSums>;
  /** Platforms with sessions, in descending order. */
  byPlatform: readonly (SessionSums & { platform: SessionPlatform })[];
}

type Row = SessionSums & { date: string | null; platform: number | null };

export const NO_SESSIONS: SessionSums = {
  sessions: 0,
  converted: 0,
  purchased: 0,
  events: 0,
  durationSeconds: 0,
};

/** Sessions over a range of the organization's days, read from rollups. */
@Injectable()
export class SessionsQuery {
  async run(tx: Tx, subject: SessionSubject, { startDate, endDate }: DayRange): Promise<SessionFigures> {
    const parameters = [...subjectParameters(subject), startDate, endDate];
    const rows = await tx.query<Row>(SQL, parameters);
    const byDate = new Map<string, SessionSums>();
    const byPlatform: SessionFigures['byPlatform'][number][] = [];
    let total = NO_SESSIONS;
    for (const { date, platform, ...sums } of rows) {
      if (date !== null) byDate.set(date, sums);
      else if (platform === null) total = sums;
      // Rows are zero after all sessions have been attributed to another link.
      else if (sums.sessions > 0) byPlatform.push({ platform: platformOf(platform), ...sums });
    }
    return { total, byDate, byPlatform };
  }
}

const SQL = `
  SELECT day AS date, platform, coalesce(sum(sessions), 0)::bigint AS sessions,
         coalesce(sum(converted), 0)::bigint AS converted, coalesce(sum(purchased), 0)::bigint AS purchased,
         coalesce(sum(events), 0)::bigint AS events,
         coalesce(sum(duration_seconds), 0)::bigint AS "durationSeconds"
    FROM session_rollups
   WHERE ${OF_SUBJECT}
   GROUP BY GROUPING SETS ((day), (platform), ())
   ORDER BY sessions DESC, platform`;
