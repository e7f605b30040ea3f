import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND } from '../clicks/click';
import { FUNNEL_TERM, SUBJECT_KIND } from '../sessions/funnel';
import { Visitors } from '../clicks/visitors';
import type { FunnelFact, TrackedLinkRef } from '../sessions/rollups/funnel-sums';
import type { Tx } from '../../infrastructure/database/database';

const DAY_MS = 86_400_000;

/** A person who returns to an app through a link. */
export interface Reengagement {
  organizationId: number;
  appId: number;
  trackedLink: TrackedLinkRef | null;
  /** Identifier of the person or device on that platform; stored as a hash. */
  user: string;
  platform: 'iOS' | 'Android' | 'Other';
  /** Whether the link opened the app. */
  successful: boolean;
  /** Milliseconds since the epoch by the server's clock; must be ascending for each person. */
  at: number;
}

interface ReturnRow {
  kind: number;
  last: string;
  previous: string | null;
}

/** Records re-engagements. Pass the returned sums to SessionRollups in the same transaction. */
@Injectable()
export class Reengagements {
  constructor(private readonly visitors: Visitors) {}

  /** A pseudonym for a user of whom only IP address and user agent are known. */
  userOf(ip: string, userAgent: string): string {
    return `${this.visitors.addressHash(ip)}\n${userAgent}`;
  }

  async record(tx: Tx, reengagement: Reengagement): Promise<FunnelFact> {
    const { organizationId, appId, trackedLink, user, platform, successful, at } = reengagement;
    const userKey = hash('sha256', `${organizationId}\n${user}`, 'buffer').subarray(0, 16);
    const common = [organizationId, userKey];
    const trackedLinkFields = [
      trackedLink && TRACKED_LINK_KIND[trackedLink.kind],
      trackedLink && trackedLink.id,
    ];
    await tx.query(INSERT, [...common, appId, ...trackedLinkFields, platform, successful, new Date(at)]);
    const terms: number[] = [FUNNEL_TERM.reengagement, FUNNEL_TERM.reengagedOn[platform]];
    if (successful) terms.push(FUNNEL_TERM.reengaged);
    const rows = await tx.query<ReturnRow>(RETURN, [...common, appId, ...trackedLinkFields, new Date(at)]);
    const returned: FunnelFact['returned'] = {};
    for (const row of rows) returned[row.kind === SUBJECT_KIND.app ? 'app' : 'trackedLink'] = gapOf(row);
    const fact = { organizationId, trackedLink, appId, at, terms, returned };
    return { ...fact, platform: platform === 'Other' ? null : platform };
  }
}

function gapOf({ last, previous }: ReturnRow): number | null {
  return previous === null ? null : (Date.parse(last) - Date.parse(previous)) / DAY_MS;
}

const INSERT = `
  INSERT INTO reengagements (organization_id, user_key, app_id, kind, tracked_link_id, platform, successful, occurred_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

// Returns a row for each of the two counters (app, link or campaign) that has not counted this person on that day, with
// the days since the previous time. Unique people in a range are those whose previous time is before it, so daily sums
// suffice for exact figures of every range.
const RETURN = `
  INSERT INTO reengaged_users AS stored (organization_id, user_key, subject_kind, subject_id, last_day)
  SELECT $1, $2, kind, id, ($6::timestamptz AT TIME ZONE 'UTC')::date
    FROM (VALUES ($4::smallint, $5::bigint), (${SUBJECT_KIND.app}::smallint, $3::bigint)) AS subject (kind, id)
   WHERE id IS NOT NULL
   ORDER BY kind
  ON CONFLICT (organization_id, subject_kind, subject_id, user_key) DO UPDATE
     SET last_day = excluded.last_day, previous_day = stored.last_day
   WHERE stored.last_day < excluded.last_day
  RETURNING subject_kind AS kind, last_day AS last, previous_day AS previous`;
