import { ApiProperty } from '@nestjs/swagger';

const amount = (description: string) => ApiProperty({ description, example: 0 });
const count = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example: 0 });

/** Revenue of one day. */
export class DailyRevenue {
  @ApiProperty({
    description: 'Day; in UTC, except in analytics, which use the time zone of the organization',
    example: '2026-11-20',
  })
  date!: string;

  @amount("Revenue of purchases in the organization's base currency")
  revenue!: number;

  @count('Purchases in all currencies')
  purchases!: number;
}

/** Revenue of one goal in one currency. */
export class GoalRevenue {
  @ApiProperty({ description: 'Conversion goal', example: 'purchase' })
  goalType!: string;

  @ApiProperty({
    description: 'ISO 4217 code; goals without a currency are in the base currency',
    example: 'KRW',
  })
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

  @ApiProperty({ description: "The organization's base currency, ISO 4217", example: 'KRW' })
  currency!: string;

  @count('Purchases in all currencies')
  purchaseCount!: number;

  @ApiProperty({ description: 'Purchases per click, as a percentage with one decimal', example: 0 })
  purchaseConversionRate!: number;

  @amount('totalRevenue per purchase in the base currency, rounded to cents')
  averageOrderValue!: number;

  @ApiProperty({ type: DailyRevenue, isArray: true, description: 'Every day of the range' })
  dailyRevenue!: DailyRevenue[];

  @ApiProperty({
    type: GoalRevenue,
    isArray: true,
    description: 'Revenue by goal and currency, most goals first, at most 100',
  })
  revenueByGoalType!: GoalRevenue[];
}
