import { INT64, INTEGER, NUMBER_OR_NULL, Field } from '../../../common/http/api-field';
import { GoalType, OneOf, PathId, QueryInt } from '../../../common/validation/atoms';
import { FunnelStats } from '../../sessions/installs/install-statistics.dto';
import {
  AnalyticsPlatform,
  AnalyticsRangeQuery,
  AppAnalyticsQuery,
  baseCurrency,
  reportedApp,
  RESOURCE_TYPES,
} from '../analytics.atoms';
import { AnalyticsRange } from '../analytics-range';

const optional = true;
const percentage = (description: string) => Field(`${description}, as a percentage with one decimal`, 12.5);

const SESSION_TYPES = ['all', 'url', 'campaign', 'direct'] as const;

export class ConversionsQuery extends AppAnalyticsQuery {
  @AnalyticsPlatform({ description: 'Platform on which sessions started and goals were completed' })
  platform: string = 'all';

  @OneOf(SESSION_TYPES, {
    default: 'all',
    description: 'Origin of the session: a link, a campaign or neither (`direct`)',
    example: 'campaign',
  })
  sessionType: string = 'all';

  @OneOf(RESOURCE_TYPES, {
    optional,
    description: 'Type of resourceId; VALIDATION_FAILED without it',
    example: 'campaign',
  })
  resourceType?: string | null;

  @PathId({
    description: 'Restricts the figures to this link or campaign; VALIDATION_FAILED without resourceType',
    example: 1,
    optional,
  })
  resourceId?: number | null;
}

export class SessionStats {
  @Field('Sessions that started in the range', 30, INT64)
  totalSessions!: number;

  @Field('Sessions among these that reached a goal, even after the range', 30, INT64)
  convertedSessions!: number;

  @percentage('Converted part')
  conversionRate!: number;
}

export class PlatformShare {
  @Field('Platform', 'ios', { enum: ['web', 'ios', 'android'] })
  platform!: string;

  @Field('Sessions that started on this platform', 30, INT64)
  sessions!: number;

  @percentage('Share of all sessions of the range')
  percentage!: number;
}

export class GoalTypeShare {
  @Field('Type of the goal', 'signup')
  goalType!: string;

  @Field('Goals of this type in the range', 30, INT64)
  count!: number;

  @Field(
    "Sum of the values in the organization's base currency; null unless the user of the API key has the permission " +
      'revenue.view',
    12_900,
    NUMBER_OR_NULL,
  )
  value!: number | null;

  @percentage('Share of all goals of the range')
  percentage!: number;
}

export class ConversionsResponse extends AnalyticsRange {
  @reportedApp
  appId!: number | null;

  @baseCurrency
  currency!: string;

  @Field('Sessions and conversions', undefined, { type: SessionStats })
  sessionStats!: SessionStats;

  @Field('Platforms with sessions, most sessions first', undefined, { type: PlatformShare, isArray: true })
  platformDistribution!: PlatformShare[];

  @Field('Goals by type, most goals first, at most 100', undefined, { type: GoalTypeShare, isArray: true })
  goalTypeBreakdown!: GoalTypeShare[];

  @Field('The eight stages of the sessions that started in the range', undefined, { type: FunnelStats })
  funnelStats!: FunnelStats;
}

export class TopConversionsRequest extends AnalyticsRangeQuery {
  @OneOf(RESOURCE_TYPES, { default: 'campaign', description: 'Links or campaigns', example: 'campaign' })
  resourceType: string = 'campaign';

  @PathId({
    description:
      'Restricts the figures to an app of the organization, else APP_NOT_OWNED; API keys need it with goalType',
    example: 1,
    optional,
  })
  appId?: number | null;

  @GoalType({
    min: 1,
    description:
      'Restricts the figures to this type of goal; `purchase_<CURRENCY>` means purchases in that currency, `all` (the ' +
      'default) every type; VALIDATION_FAILED without appId, but for the console',
    example: 'purchase',
    optional,
  })
  goalType?: string | null;

  @QueryInt({ min: 1, max: 50, default: 5, description: 'How many', example: 5 })
  limit: number = 5;
}

export class TopConversionItem {
  @Field('Id of the link or campaign', 7, INT64)
  id!: number;

  @Field('Name of the campaign; title of the link, or its code without one', 'Spring sale')
  name!: string;

  @Field('Goals in the range that the link or campaign led to', 30, INT64)
  conversions!: number;
}

export class TopConversionsResponse extends AnalyticsRange {
  @Field('Links or campaigns', 'campaign', { enum: RESOURCE_TYPES })
  resourceType!: string;

  @Field('Requested type of the goals; `all` for every type', 'all')
  goalType!: string;

  @Field('Maximum number of items', 5, INTEGER)
  limit!: number;

  @Field('Most conversions first', undefined, { type: TopConversionItem, isArray: true })
  items!: TopConversionItem[];
}

export class GoalTypesResponse extends AnalyticsRange {
  @reportedApp
  appId!: number | null;

  @Field('Types of the goals in the range, sorted by name', ['purchase', 'signup'], { type: [String] })
  goalTypes!: string[];
}
