import { ApiProperty } from '@nestjs/swagger';
import { Field } from '../../../common/http/api-field';

const amount = (description: string) => ApiProperty({ description, example: 0 });
const count = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example: 0 });

/** Revenue of one day. */
export class DailyRevenue {
  @Field('Day; in UTC, except in analytics, which use the time zone of the organization', '2026-11-20')
  date!: string;

  @amount("Revenue of purchases in the organization's base currency")
  revenue!: number;

  @count('Purchases in all currencies')
  purchases!: number;
}

/** Revenue of one goal in one currency. */
export class GoalRevenue {
  @Field('Conversion goal', 'purchase')
  goalType!: string;

  @Field('ISO 4217 code; goals without a currency are in the base currency', 'KRW')
  currency!: string;

  @count('Number of goals')
  count!: number;

  @amount('Revenue in that currency; 0 for goals other than purchases, whose value is no revenue')
  revenue!: number;

  @amount('Sum of the values of these goals in that currency')
  value!: number;
}

/** Purchases of people who clicked (docs/concepts/statistics.md#link-and-campaign-statistics). */
export class RevenueStatistics {
  @amount("Revenue in the organization's base currency")
  totalRevenue!: number;

  @Field("The organization's base currency, ISO 4217", 'KRW')
  currency!: string;

  @count('Purchases in all currencies')
  purchaseCount!: number;

  @Field('Purchases per click, as a percentage with one decimal', 0)
  purchaseConversionRate!: number;

  @amount('totalRevenue per purchase in the base currency, rounded to cents')
  averageOrderValue!: number;

  @Field('Every day of the range', undefined, { type: DailyRevenue, isArray: true })
  dailyRevenue!: DailyRevenue[];

  @Field('Revenue by goal and currency, most goals first, at most 100', undefined, {
    type: GoalRevenue,
    isArray: true,
  })
  revenueByGoalType!: GoalRevenue[];
}
