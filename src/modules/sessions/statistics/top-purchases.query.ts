import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import { PURCHASE } from '../funnel';
import type { DayRange } from '../../../common/time/date-range';
import { goalCurrency } from './goal-figures';
import { NAMED, type TopConversion } from './top-conversions.query';
import { Database } from '../../../infrastructure/database/database';

export interface TopPurchasesFilter {
  organizationId: number;
  kind: TrackedLinkKind;
  appId: number;
  /** Only purchases in it. */
  currency: string;
  baseCurrency: string;
  limit: number;
}

/** The links or campaigns that led to most purchases in one currency, in a range of the organization's days. */
@Injectable()
export class TopPurchasesQuery {
  constructor(private readonly database: Database) {}

  run(filter: TopPurchasesFilter, { startDate, endDate }: DayRange): Promise<TopConversion[]> {
    const { organizationId, kind, appId, currency, baseCurrency, limit } = filter;
    return this.database.read<TopConversion>(topPurchases(kind), [
      organizationId,
      TRACKED_LINK_KIND[kind],
      startDate,
      endDate,
      appId,
      currency,
      baseCurrency,
      limit,
    ]);
  }
}

// Running totals know no currencies: days are added up. Subject 0 is all links or campaigns together.
const topPurchases = (kind: TrackedLinkKind) => `
  SELECT top.id, ${NAMED[kind].name} AS name, top.conversions
    FROM (SELECT subject_id AS id, sum(goals)::bigint AS conversions
            FROM goal_rollups
           WHERE organization_id = $1 AND subject_kind = $2 AND subject_id <> 0 AND app_id = $5
             AND day BETWEEN $3::date AND $4::date
             AND goal_type = '${PURCHASE}' AND ${goalCurrency('$7')} = $6
           GROUP BY subject_id
          HAVING sum(goals) > 0
           ORDER BY conversions DESC, id
           LIMIT $8) AS top
    JOIN ${NAMED[kind].table} t ON t.id = top.id AND t.organization_id = $1
   ORDER BY top.conversions DESC, top.id`;
