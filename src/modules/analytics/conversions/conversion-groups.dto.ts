import { INT64_OR_NULL, NUMBER_OR_NULL, TEXT_OR_NULL, Field } from '../../../common/http/api-field';
import { OneOf, QueryBool, QueryIds } from '../../../common/validation/atoms';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import { type Breakdown, BREAKDOWNS } from '../../click-statistics/breakdowns/breakdowns';
import { zoneChangedAt } from '../../click-statistics/statistics.dto';
import { MOST_GOAL_GROUPS } from '../../sessions/statistics/goal-groups.query';
import { baseCurrency } from '../analytics.atoms';
import { ClickFilters } from '../clicks/clicks.dto';

/** `bot` is excluded, because bots have no sessions. */
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
  @Field('ISO 4217 code', 'USD')
  currency!: string;

  @Field('Revenue of purchases in that currency', 120)
  revenue!: number;
}

export class ConversionGroup {
  @Field('The value, as in the groups of analytics/clicks', '7')
  key!: string;

  @Field('Goals of every type; null without the permission conversion.view', 12, INT64_OR_NULL)
  conversions!: number | null;

  @Field(
    "Revenue of purchases in the organization's base currency; null without the permission revenue.view",
    12_900,
    NUMBER_OR_NULL,
  )
  revenue!: number | null;

  @Field('Revenue of purchases in each other currency; null without the permission revenue.view', undefined, {
    type: CurrencyRevenue,
    isArray: true,
    nullable: true,
  })
  otherRevenue!: CurrencyRevenue[] | null;
}

export class ConversionGroupsResponse {
  @Field('First day; null for all', '2026-10-22', TEXT_OR_NULL)
  startDate!: string | null;

  @Field('Last day, inclusive; null for all', '2026-11-20', TEXT_OR_NULL)
  endDate!: string | null;

  @Field("The organization's time zone, which defines the days", 'Asia/Seoul')
  timeZone!: string;

  @zoneChangedAt
  timeZoneChangedAt!: string | null;

  @baseCurrency
  currency!: string;

  @Field('Dimension of the groups', 'campaign', { enum: DIMENSIONS })
  groupBy!: Breakdown;

  @Field(
    'Whether there are conversions to be seen: the organization has the add-on REVENUE_ANALYTICS, and the user the ' +
      'permission conversion.view',
    true,
  )
  showsConversions!: boolean;

  @Field('The same for revenue and revenue.view', true)
  showsRevenue!: boolean;

  @Field(
    `Values with goals, most goals first, at most ${MOST_GOAL_GROUPS.toLocaleString('en')}; all others have none. ` +
      'Empty if neither conversions nor revenue are to be seen',
    undefined,
    { type: ConversionGroup, isArray: true },
  )
  groups!: ConversionGroup[];
}
