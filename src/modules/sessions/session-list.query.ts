import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND } from '../clicks/click';
import type { Stage } from './funnel';
import type { TrackedLinkRef } from './rollups/funnel-sums';
import { bitOf, type Session } from './session';
import { fromSessionRow, SELECT_SESSIONS, type StoredSession } from './sessions.repository';
import type { Tx } from '../../infrastructure/database/database';

/** Filters of an organization's sessions; null matches every session. */
export interface SessionFilter {
  appId: number | null;
  /** Range of the start, `[from, to)`. */
  from: Date;
  to: Date;
  platform: string | null;
  converted: boolean | null;
  externalUserId: string | null;
  /** A stage that the session must have reached. */
  stage: Stage | null;
  trackedLink: TrackedLinkRef | null;
}

/** A page of an organization's sessions, newest first, and the total number. */
@Injectable()
export class SessionListQuery {
  /** @param tx a snapshot */
  async run(
    tx: Tx,
    organizationId: number,
    { appId, from, to, platform, converted, externalUserId, stage, trackedLink }: SessionFilter,
    { page, size }: { page: number; size: number },
  ): Promise<{ sessions: Session[]; total: number }> {
    const parameters = [
      ...[organizationId, appId, from, to, platform, converted, externalUserId],
      stage && bitOf(stage),
      trackedLink && TRACKED_LINK_KIND[trackedLink.kind],
      trackedLink && trackedLink.id,
    ];
    const rows = await tx.query<StoredSession>(PAGE, [...parameters, size, page * size]);
    const [counted] = await tx.query<{ total: number }>(COUNT, parameters);
    return { sessions: rows.map(fromSessionRow), total: counted?.total ?? 0 };
  }
}

const FILTERED = `
 WHERE organization_id = $1 AND ($2::bigint IS NULL OR app_id = $2) AND started_at >= $3 AND started_at < $4
   AND ($5::text IS NULL OR platform = $5)
   AND ($6::boolean IS NULL OR (stages & ${bitOf('GOAL_COMPLETED')} <> 0) = $6)
   AND ($7::text IS NULL OR external_user_id = $7)
   AND ($8::integer IS NULL OR stages & $8 <> 0)
   AND ($10::bigint IS NULL OR (kind = $9::smallint AND tracked_link_id = $10))`;
const PAGE = `${SELECT_SESSIONS} ${FILTERED} ORDER BY started_at DESC, id DESC LIMIT $11 OFFSET $12`;
const COUNT = `SELECT count(*)::bigint AS total FROM funnel_sessions ${FILTERED}`;
