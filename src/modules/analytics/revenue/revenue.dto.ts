import { IntersectionType } from '@nestjs/swagger';
import { NUMBER_OR_NULL, TEXT_OR_NULL, INT64, listOf, Field } from '../../../common/http/api-field';
import { DateText, PathId } from '../../../common/validation/atoms';
import { DailyRevenue, GoalRevenue } from '../../sessions/statistics/revenue-statistics.dto';
import { AnalyticsPlatform, AppAnalyticsQuery, baseCurrency, reportedApp } from '../analytics.atoms';
import { AnalyticsRange } from '../analytics-range';

const optional = true;
const amount = (description: string) => Field(description, 12_900);
const percentage = (description: string) => Field(`${description}, as a percentage with one decimal`, 12.5);
const change = (of: string) =>
  Field(
    `Change of \`${of}\` relative to the comparison range, as a percentage with one decimal; null when it was 0 there`,
    8.3,
    NUMBER_OR_NULL,
  );

export class RevenueQuery extends AppAnalyticsQuery {
  @AnalyticsPlatform({ description: 'Platform on which goals were completed and sessions started' })
  platform: string = 'all';

  @PathId({
    description: 'Restricts the figures to this campaign; VALIDATION_FAILED when combined with urlId',
    example: 1,
    optional,
  })
  campaignId?: number | null;

  @PathId({
    description: 'Restricts the figures to this link; VALIDATION_FAILED when combined with campaignId',
    example: 1,
    optional,
  })
  urlId?: number | null;

  @DateText({
    optional,
    description: 'First day of the comparison range; VALIDATION_FAILED without compareEndDate',
    example: '2026-10-01',
  })
  compareStartDate?: string | null;

  @DateText({
    optional,
    description: 'Last day of the comparison range, inclusive; VALIDATION_FAILED without compareStartDate',
    example: '2026-10-20',
  })
  compareEndDate?: string | null;
}

export class PlatformRevenue {
  @Field('Platform', 'ios', { enum: ['web', 'ios', 'android'] })
  platform!: string;

  @amount("Revenue from purchases on this platform, in the organization's base currency")
  revenue!: number;

  @Field('Purchases on this platform, in all currencies', 30, INT64)
  purchases!: number;

  @Field('Sessions that started on this platform', 30, INT64)
  sessions!: number;
}

/** Revenue of an app over a range of days (docs/concepts/statistics.md#analytics). */
export class RevenueFigures {
  @amount(
    "Revenue from purchases in the organization's base currency; other currencies are in revenueByGoalType",
  )
  totalRevenue!: number;

  @Field('Sessions that started in the range and had a purchase, even after it', 30, INT64)
  purchaseSessions!: number;

  @percentage('purchaseSessions relative to the sessions that started in the range')
  purchaseConversionRate!: number;

  @amount('Average of totalRevenue per purchase in the base currency, rounded to the cent')
  averageOrderValue!: number;

  @amount('totalRevenue per session that started in the range, rounded to the cent')
  revenuePerSession!: number;

  @amount('Value added to carts (goals add_to_cart and addToCart) in the base currency; not part of revenue')
  cartValue!: number;

  @Field('By goal and currency, most goals first, at most 100', undefined, listOf(GoalRevenue))
  revenueByGoalType!: GoalRevenue[];

  @Field('Every day of the range', undefined, listOf(DailyRevenue))
  dailyRevenue!: DailyRevenue[];

  @Field('Platforms with sessions or goals, most revenue first', undefined, listOf(PlatformRevenue))
  revenueByPlatform!: PlatformRevenue[];
}

class RevenueChanges {
  @change('totalRevenue')
  totalRevenueChangePct!: number | null;

  @change('purchaseSessions')
  purchaseSessionsChangePct!: number | null;

  @change('purchaseConversionRate')
  purchaseConversionRateChangePct!: number | null;

  @change('averageOrderValue')
  averageOrderValueChangePct!: number | null;

  @change('revenuePerSession')
  revenuePerSessionChangePct!: number | null;

  @change('cartValue')
  cartValueChangePct!: number | null;
}

export class RevenueComparison extends IntersectionType(AnalyticsRange, RevenueFigures, RevenueChanges) {}

export class RevenueResponse extends AnalyticsRange {
  @reportedApp
  appId!: number | null;

  @Field('Name of the app; null for all apps', 'Shop', TEXT_OR_NULL)
  appName!: string | null;

  @baseCurrency
  currency!: string;

  @Field('The figures', undefined, { type: RevenueFigures })
  data!: RevenueFigures;

  @Field('Present when compareStartDate and compareEndDate are given', undefined, {
    type: RevenueComparison,
    required: false,
  })
  comparison?: RevenueComparison;
}
