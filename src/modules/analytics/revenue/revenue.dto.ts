import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { DateText, PathId } from '../../../common/validation/atoms';
import { DailyRevenue, GoalRevenue } from '../../sessions/statistics/revenue-statistics.dto';
import { AnalyticsPlatform, AppAnalyticsQuery, baseCurrency } from '../analytics.atoms';
import { AnalyticsRange } from '../analytics-range';

const optional = true;
const count = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example: 30 });
const amount = (description: string) => ApiProperty({ description, example: 12_900 });
const percentage = (description: string) =>
  ApiProperty({ description: `${description}, percent with one decimal`, example: 12.5 });
const change = (of: string) =>
  ApiProperty({
    type: Number,
    nullable: true,
    description: `How much \`${of}\` of the range is above that of the range it is compared with, in percent of the latter, one decimal; null when the latter is 0`,
    example: 8.3,
  });

export class RevenueQuery extends AppAnalyticsQuery {
  @AnalyticsPlatform({ description: 'Platform: of goals, and that on which sessions began' })
  platform: string = 'all';

  @PathId({
    description: 'Only what this campaign led to; VALIDATION_FAILED beside urlId',
    example: 1,
    optional,
  })
  campaignId?: number | null;

  @PathId({
    description: 'Only what this link led to; VALIDATION_FAILED beside campaignId',
    example: 1,
    optional,
  })
  urlId?: number | null;

  @DateText({
    optional,
    description: 'First day of a range to compare with; VALIDATION_FAILED without compareEndDate',
    example: '2026-10-01',
  })
  compareStartDate?: string | null;

  @DateText({
    optional,
    description: 'Its last day; VALIDATION_FAILED without compareStartDate',
    example: '2026-10-20',
  })
  compareEndDate?: string | null;
}

export class PlatformRevenue {
  @ApiProperty({ enum: ['web', 'ios', 'android'], description: 'Platform', example: 'ios' })
  platform!: string;

  @amount("Revenue of purchases on it, in the organization's base currency")
  revenue!: number;

  @count('Purchases on it, of all currencies')
  purchases!: number;

  @count('Sessions that began on it')
  sessions!: number;
}

/** Revenue of an app over a range of days (docs/concepts/statistics.md#analytics). */
export class RevenueFigures {
  @amount(
    "Revenue of purchases, in the organization's base currency; other currencies are in revenueByGoalType",
  )
  totalRevenue!: number;

  @count('Sessions that began in the range and had a purchase, then or later')
  purchaseSessions!: number;

  @percentage('purchaseSessions of the sessions that began in the range')
  purchaseConversionRate!: number;

  @amount('totalRevenue for each of the purchases that it is of, to the cent')
  averageOrderValue!: number;

  @amount('totalRevenue for each session that began in the range, to the cent')
  revenuePerSession!: number;

  @amount('What was put into carts (goals add_to_cart and addToCart) in the base currency; it is no revenue')
  cartValue!: number;

  @ApiProperty({
    type: GoalRevenue,
    isArray: true,
    description: 'By goal and currency, most goals first, at most 100',
  })
  revenueByGoalType!: GoalRevenue[];

  @ApiProperty({ type: DailyRevenue, isArray: true, description: 'Every day of the range' })
  dailyRevenue!: DailyRevenue[];

  @ApiProperty({
    type: PlatformRevenue,
    isArray: true,
    description: 'Platforms with sessions or goals, most revenue first',
  })
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

/** The same metrics of another range, and how far those of the first have moved away from them. */
export class RevenueComparison extends IntersectionType(AnalyticsRange, RevenueFigures, RevenueChanges) {}

export class RevenueResponse extends AnalyticsRange {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the app', example: 42 })
  appId!: number;

  @ApiProperty({ description: 'Name of the app', example: 'Shop' })
  appName!: string;

  @baseCurrency
  currency!: string;

  @ApiProperty({ type: RevenueFigures, description: 'The figures' })
  data!: RevenueFigures;

  @ApiProperty({
    type: RevenueComparison,
    required: false,
    description: 'There when compareStartDate and compareEndDate are given',
  })
  comparison?: RevenueComparison;
}
