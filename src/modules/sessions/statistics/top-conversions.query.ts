import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import type { DayRange } from '../../../common/time/date-range';
import { Database } from '../../../infrastructure/database/database';

export interface TopConversionsFilter {
  organizationId: number;
  kind: TrackedLinkKind;
  /** Null: of all apps. */
  appId: number | null;
  /** Null: goals of all types. One type is summed for each app alone. */
  goalType: string | null;
  limit: number;
}

export interface TopConversion {
  id: number;
  name: string;
  conversions: number;
}

/** The links or campaigns that led to most goals in a range of the organization's days. */
@Injectable()
export class TopConversionsQuery {
  constructor(private readonly database: Database) {}

  run(filter: TopConversionsFilter, { startDate, endDate }: DayRange): Promise<TopConversion[]> {
    const { organizationId, kind, appId, goalType, limit } = filter;
    return this.database.read<TopConversion>(topConversions(kind), [
      organizationId,
      TRACKED_LINK_KIND[kind],
      startDate,
      endDate,
      appId ?? 0,
      goalType ?? '',
      limit,
    ]);
  }
}

const OF_PART = 'organization_id = $1 AND subject_kind = $2 AND app_id = $5 AND goal_type = $6';

/** The last total of a subject's slot on a day that meets the condition. */
const totalOf = (condition: string) => `
  SELECT goals FROM goal_totals
   WHERE ${OF_PART} AND subject_id = s.subject_id AND slot = s.slot AND ${condition}
   ORDER BY day DESC LIMIT 1`;

/** Where the names of links and campaigns stand. Deleted ones have theirs still. */
export const NAMED = {
  link: { table: 'links', name: 'coalesce(t.title, t.code)' },
  campaign: { table: 'campaigns', name: 't.name' },
};

// A subject's goals in the range are those up to its last day without those up to the day before: two rows of each, so
// that it costs the same for a week and for a year. Subjects are found by stepping through the index from each to the
// next. Deleted ones have their figures and their names still.
const topConversions = (kind: TrackedLinkKind) => `
  WITH RECURSIVE subjects AS (
    (SELECT subject_id, slot FROM goal_totals WHERE ${OF_PART} ORDER BY subject_id, slot LIMIT 1)
    UNION ALL
    SELECT next.* FROM subjects AS s, LATERAL (
      SELECT subject_id, slot FROM goal_totals
       WHERE ${OF_PART} AND (subject_id, slot) > (s.subject_id, s.slot)
       ORDER BY subject_id, slot LIMIT 1) AS next
  )
  SELECT top.id, ${NAMED[kind].name} AS name, top.conversions
    FROM (SELECT s.subject_id AS id, sum(until.goals - coalesce(before.goals, 0))::bigint AS conversions
            FROM subjects AS s
            JOIN LATERAL (${totalOf('day <= $4::date')}) AS until ON true
            LEFT JOIN LATERAL (${totalOf('day < $3::date')}) AS before ON true
           GROUP BY s.subject_id
          HAVING sum(until.goals - coalesce(before.goals, 0)) > 0
           ORDER BY conversions DESC, id
           LIMIT $7) AS top
    JOIN ${NAMED[kind].table} t ON t.id = top.id AND t.organization_id = $1
   ORDER BY top.conversions DESC, top.id`;
