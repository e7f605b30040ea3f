import { INT64, listOf, Field } from '../../../common/http/api-field';

export class DailyRevenue {
  @Field('Day; in UTC, except in analytics, which use the time zone of the organization', '2026-11-20')
  date!: string;

  @Field("Revenue of purchases in the organization's base currency", 0)
  revenue!: number;

  @Field('Purchases in all currencies', 0, INT64)
  purchases!: number;
}

export class GoalRevenue {
  @Field('Conversion goal', 'purchase')
  goalType!: string;

  @Field('ISO 4217 code; goals without a currency are in the base currency', 'KRW')
  currency!: string;

  @Field('Number of goals', 0, INT64)
  count!: number;

  @Field('Revenue in that currency; 0 for goals other than purchases, whose value is no revenue', 0)
  revenue!: number;

  @Field('Sum of the values of these goals in that currency', 0)
  value!: number;
}

/** Purchases of people who clicked (docs/concepts/statistics.md#link-and-campaign-statistics). */
export class RevenueStatistics {
  @Field("Revenue in the organization's base currency", 0)
  totalRevenue!: number;

  @Field("The organization's base currency, ISO 4217", 'KRW')
  currency!: string;

  @Field('Purchases in all currencies', 0, INT64)
  purchaseCount!: number;

  @Field('Purchases per click, as a percentage with one decimal', 0)
  purchaseConversionRate!: number;

  @Field('totalRevenue per purchase in the base currency, rounded to cents', 0)
  averageOrderValue!: number;

  @Field('Every day of the range', undefined, listOf(DailyRevenue))
  dailyRevenue!: DailyRevenue[];

  @Field('Revenue by goal and currency, most goals first, at most 100', undefined, listOf(GoalRevenue))
  revenueByGoalType!: GoalRevenue[];
}
