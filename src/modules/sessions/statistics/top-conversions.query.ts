import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import type { DayRange } from '../../../common/date-range';
import { compactedMonths } from '../../../infrastructure/database/compacted-months';
import { Database } from '../../../infrastructure/database/database';

export interface TopConversionsFilter {
  organizationId: number;
  kind: TrackedLinkKind;
  /** Null for all apps. */
  appId: number | null;
  /** Null for all goal types. */
  goalType: string | null;
  /** Of purchases; null for goals of every currency. */
  currency: string | null;
  limit: number;
}

export interface TopConversion {
  id: number;
  name: string;
  conversions: number;
}

/** Links or campaigns with the most goals in a range of the organization's days. */
@Injectable()
export class TopConversionsQuery {
  constructor(private readonly database: Database) {}

  run(filter: TopConversionsFilter, { startDate, endDate }: DayRange): Promise<TopConversion[]> {
    const { organizationId, kind, appId, goalType, currency, limit } = filter;
    return this.database.reportRows<TopConversion>(organizationId, topConversions(kind), [
      organizationId,
      TRACKED_LINK_KIND[kind],
      startDate,
      endDate,
      appId ?? 0,
      goalType ?? '',
      currency ?? '',
      limit,
    ]);
  }
}

/** Names of links and campaigns, including deleted ones, by kind. */
const NAMED = {
  link: { table: 'links', name: 'coalesce(t.title, t.code)' },
  campaign: { table: 'campaigns', name: 't.name' },
};

const COMPACTED_MONTHS = compactedMonths('sessions');

// App 0 stands for all apps, and an empty text for all goal types or currencies.
const CONDITION =
  "($5 = 0 OR g.app_id = $5) AND ($6 = '' OR g.goal_type = $6) AND ($7 = '' OR g.currency = $7)";

/** Goals in a range of the organization's days, from compacted whole months and the days of all other months. */
const GOALS = `
  SELECT g.subject_id, g.goals
    FROM (${COMPACTED_MONTHS} AND month >= $3::date AND month + interval '1 month' <= $4::date + interval '1 day') AS whole
    JOIN goal_months g ON g.organization_id = $1 AND g.subject_kind = $2 AND g.month = whole.month
   WHERE ${CONDITION}
  UNION ALL
  SELECT g.subject_id, g.goals
    FROM generate_series($3::date::timestamp, $4::date, interval '1 day') AS days (day)
    JOIN goal_rollups g ON g.organization_id = $1 AND g.subject_kind = $2 AND g.day = days.day::date AND g.subject_id <> 0
   WHERE ${CONDITION}
     AND (date_trunc('month', days.day) < $3::date
          OR date_trunc('month', days.day) + interval '1 month' > $4::date + interval '1 day'
          OR date_trunc('month', days.day)::date NOT IN (${COMPACTED_MONTHS}))`;

// Includes deleted links and campaigns.
const topConversions = (kind: TrackedLinkKind) => `
  SELECT top.id, ${NAMED[kind].name} AS name, top.conversions
    FROM (SELECT subject_id AS id, sum(goals)::bigint AS conversions
            FROM (${GOALS}) AS counted
           GROUP BY subject_id
          HAVING sum(goals) > 0
           ORDER BY conversions DESC, id
           LIMIT $8) AS top
    JOIN ${NAMED[kind].table} t ON t.id = top.id AND t.organization_id = $1
   ORDER BY top.conversions DESC, top.id`;
