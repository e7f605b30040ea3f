import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND } from '../../clicks/click';
import type { DayRange } from '../../../common/date-range';
import { type GoalFigureRow, goalSums, toGoalFigures } from './goal-figures';
import { revenueByGoalType, revenueOf } from './revenue-figures';
import type { RevenueStatistics } from './revenue-statistics.dto';
import type { Tx } from '../../../infrastructure/database/database';

/** A campaign, or one of its customIds. */
export interface RevenueSubject {
  organizationId: number;
  campaignId: number;
  customId: string | null;
}

/** Revenue of a campaign over a range of UTC days, read from rollups, or for a customId from the goals. */
@Injectable()
export class RevenueStatisticsQuery {
  async run(
    tx: Tx,
    { organizationId, campaignId, customId }: RevenueSubject,
    range: DayRange,
    currency: string,
  ): Promise<Omit<RevenueStatistics, 'purchaseConversionRate'>> {
    const parameters = [organizationId, campaignId, range.startDate, range.endDate, currency];
    const rows = await (customId === null
      ? tx.query<GoalFigureRow>(OF_CAMPAIGN, parameters)
      : tx.query<GoalFigureRow>(OF_CUSTOMER, [...parameters, customId]));
    const goals = toGoalFigures(rows);
    const { totalRevenue, purchaseCount, averageOrderValue } = revenueOf(goals, currency);
    return {
      totalRevenue,
      currency,
      purchaseCount,
      averageOrderValue,
      dailyRevenue: range.days.map((date) => ({
        date,
        ...(goals.byDate.get(date) ?? { revenue: 0, purchases: 0 }),
      })),
      revenueByGoalType: revenueByGoalType(goals),
    };
  }
}

const revenueFrom = (goals: string) => `
  SELECT day AS date, NULL::smallint AS platform, goal_type AS "goalType", currency, ${goalSums('$5')}
    FROM (${goals}) AS goals
   GROUP BY GROUPING SETS ((day), (goal_type, currency))
  HAVING sum(goals) > 0
   ORDER BY count DESC, goal_type, currency`;

const OF_CAMPAIGN = revenueFrom(`
  SELECT day, goal_type, currency, goals, value
    FROM campaign_goal_rollups
   WHERE organization_id = $1 AND campaign_id = $2 AND day BETWEEN $3 AND $4`);

// The index is by day in the organization's time zone, which is at most one day away from the UTC day.
const OF_CUSTOMER = revenueFrom(`
  SELECT (occurred_at AT TIME ZONE 'UTC')::date AS day, goal_type, currency, 1 AS goals, value
    FROM goals
   WHERE organization_id = $1 AND kind = ${TRACKED_LINK_KIND.campaign} AND tracked_link_id = $2 AND custom_id = $6
     AND day BETWEEN $3::date - 1 AND $4::date + 1
     AND (occurred_at AT TIME ZONE 'UTC')::date BETWEEN $3::date AND $4::date`);
