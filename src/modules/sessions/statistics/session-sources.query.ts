import { Injectable } from '@nestjs/common';
import type { DayRange } from '../../../common/date-range';
import type { AppKey } from './session-subject';
import type { Tx } from '../../../infrastructure/database/database';

export interface SourceSessions {
  /** Null for sessions without one. */
  utmSource: string | null;
  sessions: number;
  converted: number;
}

/** Maximum number of listed sources, because clients can send arbitrary ones. */
const MAX_SOURCES = 100;

/** Sessions of an app by utm_source, in descending order. */
@Injectable()
export class SessionSourcesQuery {
  run(
    tx: Tx,
    { organizationId, appId }: AppKey,
    { startDate, endDate }: DayRange,
  ): Promise<SourceSessions[]> {
    return tx.query<SourceSessions>(SQL, [organizationId, appId, startDate, endDate]);
  }
}

const SQL = `
  SELECT nullif(utm_source, '') AS "utmSource", sum(sessions)::bigint AS sessions, sum(converted)::bigint AS converted
    FROM session_source_rollups
   WHERE organization_id = $1 AND app_id = $2 AND day BETWEEN $3 AND $4
   GROUP BY utm_source
  HAVING sum(sessions) > 0
   ORDER BY sessions DESC, utm_source
   LIMIT ${MAX_SOURCES}`;
