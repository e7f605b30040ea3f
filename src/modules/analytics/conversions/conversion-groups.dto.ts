import { ApiProperty } from '@nestjs/swagger';
import { OneOf, QueryBool, QueryIds } from '../../../common/validation/atoms';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import { type Breakdown, BREAKDOWNS } from '../../click-statistics/breakdowns/breakdowns';
import { zoneChangedAt } from '../../click-statistics/statistics.dto';
import { MOST_GOAL_GROUPS } from '../../sessions/statistics/goal-groups.query';
import { baseCurrency } from '../analytics.atoms';
import { ClickFilters } from '../clicks/clicks.dto';

/** People have no `bot`. */
const DIMENSIONS = BREAKDOWNS.filter((breakdown) => breakdown !== 'bot');
const MAX_IDS = 100;

@OnlyKnownNames()
export class ConversionGroupsRequest extends ClickFilters {
  @OneOf(DIMENSIONS, { description: 'Dimension of the groups, as in analytics/clicks', example: 'campaign' })
  groupBy!: Breakdown;

  @QueryIds({
    max: MAX_IDS,
    description:
      'Only these links, with groupBy `link`, or campaigns, with `campaign`; VALIDATION_FAILED with another one, ' +
      'NOT_FOUND for a foreign id. Repeatable',
    example: [1],
    optional: true,
  })
  id?: string[] | null;

  @QueryBool({
    default: false,
    description:
      'All days that sums are kept of, in place of a range; for groupBy `link` and `campaign` without filters',
    example: false,
  })
  allTime: boolean = false;
}

class CurrencyRevenue {
  @ApiProperty({ description: 'ISO 4217 code', example: 'USD' })
  currency!: string;

  @ApiProperty({ description: 'Revenue of purchases in that currency', example: 120 })
  revenue!: number;
}

export class ConversionGroup {
  @ApiProperty({ description: 'The value, as in the groups of analytics/clicks', example: '7' })
  key!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'Goals of every type; null without the permission conversion.view',
    example: 12,
  })
  conversions!: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      "Revenue of purchases in the organization's base currency; null without the permission revenue.view",
    example: 12_900,
  })
  revenue!: number | null;

  @ApiProperty({
    type: CurrencyRevenue,
    isArray: true,
    nullable: true,
    description: 'Revenue of purchases in each other currency; null without the permission revenue.view',
  })
  otherRevenue!: CurrencyRevenue[] | null;
}

export class ConversionGroupsResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'First day; null for all',
    example: '2026-10-22',
  })
  startDate!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Last day, inclusive; null for all',
    example: '2026-11-20',
  })
  endDate!: string | null;

  @ApiProperty({ description: "The organization's time zone, which defines the days", example: 'Asia/Seoul' })
  timeZone!: string;

  @zoneChangedAt
  timeZoneChangedAt!: string | null;

  @baseCurrency
  currency!: string;

  @ApiProperty({ enum: DIMENSIONS, description: 'Dimension of the groups', example: 'campaign' })
  groupBy!: Breakdown;

  @ApiProperty({
    description:
      'Whether there are conversions to be seen: the organization has the add-on REVENUE_ANALYTICS, and the user the ' +
      'permission conversion.view',
    example: true,
  })
  showsConversions!: boolean;

  @ApiProperty({ description: 'The same for revenue and revenue.view', example: true })
  showsRevenue!: boolean;

  @ApiProperty({
    type: ConversionGroup,
    isArray: true,
    description:
      `Values with goals, most goals first, at most ${MOST_GOAL_GROUPS.toLocaleString('en')}; all others have none. ` +
      'Empty if neither conversions nor revenue are to be seen',
  })
  groups!: ConversionGroup[];
}
