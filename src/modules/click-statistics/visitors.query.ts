import { Injectable } from '@nestjs/common';
import { Database } from '../../infrastructure/database/database';

/** An organization or one of its apps. */
export interface VisitedPart {
  organizationId: number;
  /** Null for the whole organization. */
  appId: number | null;
}

/** Unique visitors and their clicks in a day or ISO week of the organization's time zone. */
export interface VisitorSums {
  /** The day, or the Monday of the week. */
  start: string;
  visitors: number;
  linkClicks: number;
  campaignClicks: number;
}

/** Unique visitors by day and by week, in chronological order; periods without visitors are omitted. */
@Injectable()
export class VisitorsQuery {
  constructor(private readonly database: Database) {}

  byDay(part: VisitedPart, firstDay: string, lastDay: string): Promise<VisitorSums[]> {
    return this.database.reportRows<VisitorSums>(part.organizationId, DAYS, [
      ...keyOf(part),
      firstDay,
      lastDay,
    ]);
  }

  /** @param firstMonday, lastMonday `YYYY-MM-DD` */
  byWeek(part: VisitedPart, firstMonday: string, lastMonday: string): Promise<VisitorSums[]> {
    return this.database.reportRows<VisitorSums>(part.organizationId, WEEKS, [
      ...keyOf(part),
      firstMonday,
      lastMonday,
    ]);
  }
}

/** App id 0 stands for the whole organization. */
function keyOf({ organizationId, appId }: VisitedPart): [number, number] {
  return [organizationId, appId ?? 0];
}

const DAYS = `
  SELECT day AS start, sum(visitors)::bigint AS visitors, sum(link_clicks)::bigint AS "linkClicks",
         sum(campaign_clicks)::bigint AS "campaignClicks"
    FROM visitor_rollups
   WHERE organization_id = $1 AND app_id = $2 AND day BETWEEN $3::date AND $4::date
   GROUP BY day
   ORDER BY day`;

const WEEKS = `
  SELECT week AS start, w.visitors, d."linkClicks", d."campaignClicks"
    FROM (SELECT week, sum(visitors)::bigint AS visitors
            FROM visitor_week_rollups
           WHERE organization_id = $1 AND app_id = $2 AND week BETWEEN $3::date AND $4::date
           GROUP BY week) AS w
    JOIN (SELECT date_trunc('week', day::timestamp)::date AS week, sum(link_clicks)::bigint AS "linkClicks",
                 sum(campaign_clicks)::bigint AS "campaignClicks"
            FROM visitor_rollups
           WHERE organization_id = $1 AND app_id = $2 AND day BETWEEN $3::date AND $4::date + 6
           GROUP BY 1) AS d USING (week)
   ORDER BY week`;
