import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TARGET_KIND, type TargetKind } from '../../common/click-target';
import { ALL_OF_KIND } from '../../common/funnel';
import type { DayRange } from '../../common/time/date-range';

export interface TopConversionsFilter {
  organizationId: number;
  kind: TargetKind;
  /** Null: of all apps. */
  appId: number | null;
  /** Null: goals of all types. */
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
  constructor(private readonly dataSource: DataSource) {}

  run(filter: TopConversionsFilter, { startDate, endDate }: DayRange): Promise<TopConversion[]> {
    const { organizationId, kind, appId, goalType, limit } = filter;
    return this.dataSource.query<TopConversion[]>(topConversions(kind), [
      organizationId,
      TARGET_KIND[kind],
      startDate,
      endDate,
      appId,
      goalType,
      limit,
    ]);
  }
}

const NAMED = {
  link: { table: 'links', name: 'coalesce(t.title, t.code)' },
  campaign: { table: 'campaigns', name: 't.name' },
};

// Deleted ones have their figures and their names still.
const topConversions = (kind: TargetKind) => `
  SELECT top.id, ${NAMED[kind].name} AS name, top.conversions
    FROM (SELECT subject_id AS id, sum(goals)::bigint AS conversions
            FROM goal_rollups
           WHERE organization_id = $1 AND subject_kind = $2 AND day BETWEEN $3 AND $4
             AND subject_id <> ${ALL_OF_KIND}
             AND ($5::bigint IS NULL OR app_id = $5) AND ($6::text IS NULL OR goal_type = $6)
           GROUP BY subject_id
          HAVING sum(goals) > 0
           ORDER BY conversions DESC, id
           LIMIT $7) AS top
    JOIN ${NAMED[kind].table} t ON t.id = top.id AND t.organization_id = $1
   ORDER BY top.conversions DESC, top.id`;
