import { ApiProperty } from '@nestjs/swagger';

const amount = (description: string) => ApiProperty({ description, example: 0 });
const count = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example: 0 });

/** Revenue of one day. */
export class DailyRevenue {
  @ApiProperty({ description: 'Day: UTC, in analytics of the organization', example: '2026-11-20' })
  date!: string;

  @amount("Revenue of purchases in the organization's base currency")
  revenue!: number;

  @count('Purchases, of all currencies')
  purchases!: number;
}

/** Revenue of one goal in one currency. */
export class GoalRevenue {
  @ApiProperty({ description: 'Conversion goal', example: 'purchase' })
  goalType!: string;

  @ApiProperty({ description: 'ISO 4217; goals that name none are in the base currency', example: 'KRW' })
  currency!: string;

  @count('How often the goal was reached')
  count!: number;

  @amount('Revenue in that currency')
  revenue!: number;
}

/** What people who clicked bought (docs/concepts/statistics.md#link-and-campaign-statistics). */
export class RevenueStatistics {
  @amount("Revenue in the organization's base currency")
  totalRevenue!: number;

  @ApiProperty({ description: "The organization's base currency, ISO 4217", example: 'KRW' })
  currency!: string;

  @count('Purchases, of all currencies')
  purchaseCount!: number;

  @ApiProperty({ description: 'Purchases per click, percent with one decimal', example: 0 })
  purchaseConversionRate!: number;

  @amount('totalRevenue for each of the purchases that it is of, to the cent')
  averageOrderValue!: number;

  @ApiProperty({ type: DailyRevenue, isArray: true, description: 'Every day of the range' })
  dailyRevenue!: DailyRevenue[];

  @ApiProperty({
    type: GoalRevenue,
    isArray: true,
    description: 'By goal and currency, most goals first, at most 100',
  })
  revenueByGoalType!: GoalRevenue[];
}
