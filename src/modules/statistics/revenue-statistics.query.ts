import { Injectable } from '@nestjs/common';
import type { DayRange } from '../../common/time/date-range';
import type { RevenueStatistics } from './revenue-statistics.dto';

/** Whose purchases: those of a campaign's visitors, or of one customId alone. */
export interface RevenueSubject {
  organizationId: number;
  campaignId: number;
  customId: string | null;
}

/** Revenue of a campaign over a range of UTC days. No goal is recorded yet, so there is none: goals are added up here. */
@Injectable()
export class RevenueStatisticsQuery {
  run(_subject: RevenueSubject, range: DayRange, currency: string): Promise<RevenueStatistics> {
    return Promise.resolve({
      totalRevenue: 0,
      currency,
      purchaseCount: 0,
      purchaseConversionRate: 0,
      averageOrderValue: 0,
      dailyRevenue: range.days.map((date) => ({ date, revenue: 0, purchases: 0 })),
      revenueByGoalType: [],
    });
  }
}
