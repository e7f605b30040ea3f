import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import { PURCHASE } from '../funnel';
import type { DayRange } from '../../../common/date-range';
import { goalsOfSubjects, NAMED, type TopConversion } from './top-conversions.query';
import { Database } from '../../../infrastructure/database/database';

export interface TopPurchasesFilter {
  organizationId: number;
  kind: TrackedLinkKind;
  /** Null for all apps. */
  appId: number | null;
  currency: string;
  limit: number;
}

/** Links or campaigns with the most purchases in one currency, in a range of the organization's days. */
@Injectable()
export class TopPurchasesQuery {
  constructor(private readonly database: Database) {}

  run(filter: TopPurchasesFilter, { startDate, endDate }: DayRange): Promise<TopConversion[]> {
    const { organizationId, kind, appId, currency, limit } = filter;
    return this.database.reportRows<TopConversion>(organizationId, topPurchases(kind), [
      organizationId,
      TRACKED_LINK_KIND[kind],
      startDate,
      endDate,
      appId ?? 0,
      currency,
      limit,
    ]);
  }
}

const topPurchases = (kind: TrackedLinkKind) => `
  SELECT top.id, ${NAMED[kind].name} AS name, top.conversions
    FROM (SELECT subject_id AS id, sum(goals)::bigint AS conversions
            FROM (${goalsOfSubjects(`($5 = 0 OR g.app_id = $5) AND g.goal_type = '${PURCHASE}' AND currency = $6`)}) AS counted
           GROUP BY subject_id
          HAVING sum(goals) > 0
           ORDER BY conversions DESC, id
           LIMIT $7) AS top
    JOIN ${NAMED[kind].table} t ON t.id = top.id AND t.organization_id = $1
   ORDER BY top.conversions DESC, top.id`;
