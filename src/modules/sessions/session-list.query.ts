import { Injectable } from '@nestjs/common';
import { bitOf, type Session } from './session';
import { fromSessionRow, SELECT_SESSIONS, type StoredSession } from './sessions.repository';
import type { OwnApp } from './session-store';
import { Database } from '../../infrastructure/database/database';

/** Filter for the sessions of an app; null fields match every session. */
export interface SessionFilter {
  /** Range of the start, `[from, to)`. */
  from: Date;
  to: Date;
  /** The current platform. */
  platform: string | null;
  converted: boolean | null;
  externalUserId: string | null;
}

/** One page of an app's sessions, newest first, with the total number. */
@Injectable()
export class SessionListQuery {
  constructor(private readonly database: Database) {}

  async run(
    { organizationId, appId }: OwnApp,
    { from, to, platform, converted, externalUserId }: SessionFilter,
    { page, size }: { page: number; size: number },
  ): Promise<{ sessions: Session[]; total: number }> {
    const parameters = [organizationId, appId, from, to, platform, converted, externalUserId];
    const [rows, [counted]] = await Promise.all([
      this.database.read<StoredSession>(PAGE, [...parameters, size, page * size]),
      this.database.read<{ total: number }>(COUNT, parameters),
    ]);
    return { sessions: rows.map(fromSessionRow), total: counted?.total ?? 0 };
  }
}

const FILTERED = `
 WHERE organization_id = $1 AND app_id = $2 AND started_at >= $3 AND started_at < $4
   AND ($5::text IS NULL OR platform = $5)
   AND ($6::boolean IS NULL OR (stages & ${bitOf('GOAL_COMPLETED')} <> 0) = $6)
   AND ($7::text IS NULL OR external_user_id = $7)`;
const PAGE = `${SELECT_SESSIONS} ${FILTERED} ORDER BY started_at DESC, id DESC LIMIT $8 OFFSET $9`;
const COUNT = `SELECT count(*)::bigint AS total FROM funnel_sessions ${FILTERED}`;
