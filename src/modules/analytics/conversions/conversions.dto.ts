import { ApiProperty } from '@nestjs/swagger';
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
const count = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example: 30 });
const percentage = (description: string) =>
  ApiProperty({ description: `${description}, as a percentage with one decimal`, example: 12.5 });

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
  @count('Sessions that started in the range')
  totalSessions!: number;

  @count('Sessions among these that reached a goal, even after the range')
  convertedSessions!: number;

  @percentage('Converted part')
  conversionRate!: number;
}

export class PlatformShare {
  @ApiProperty({ enum: ['web', 'ios', 'android'], description: 'Platform', example: 'ios' })
  platform!: string;

  @count('Sessions that started on this platform')
  sessions!: number;

  @percentage('Share of all sessions of the range')
  percentage!: number;
}

export class GoalTypeShare {
  @ApiProperty({ description: 'Type of the goal', example: 'signup' })
  goalType!: string;

  @count('Goals of this type in the range')
  count!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      "Sum of the values in the organization's base currency; null unless the user of the API key has the permission " +
      'revenue.view',
    example: 12_900,
  })
  value!: number | null;

  @percentage('Share of all goals of the range')
  percentage!: number;
}

export class ConversionsResponse extends AnalyticsRange {
  @reportedApp
  appId!: number | null;

  @baseCurrency
  currency!: string;

  @ApiProperty({ type: SessionStats, description: 'Sessions and conversions' })
  sessionStats!: SessionStats;

  @ApiProperty({
    type: PlatformShare,
    isArray: true,
    description: 'Platforms with sessions, most sessions first',
  })
  platformDistribution!: PlatformShare[];

  @ApiProperty({
    type: GoalTypeShare,
    isArray: true,
    description: 'Goals by type, most goals first, at most 100',
  })
  goalTypeBreakdown!: GoalTypeShare[];

  @ApiProperty({
    type: FunnelStats,
    description: 'The eight stages of the sessions that started in the range',
  })
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
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the link or campaign', example: 7 })
  id!: number;

  @ApiProperty({
    description: 'Name of the campaign; title of the link, or its code without one',
    example: 'Spring sale',
  })
  name!: string;

  @count('Goals in the range that the link or campaign led to')
  conversions!: number;
}

export class TopConversionsResponse extends AnalyticsRange {
  @ApiProperty({ enum: RESOURCE_TYPES, description: 'Links or campaigns', example: 'campaign' })
  resourceType!: string;

  @ApiProperty({ description: 'Requested type of the goals; `all` for every type', example: 'all' })
  goalType!: string;

  @ApiProperty({ type: 'integer', description: 'Maximum number of items', example: 5 })
  limit!: number;

  @ApiProperty({ type: TopConversionItem, isArray: true, description: 'Most conversions first' })
  items!: TopConversionItem[];
}

export class GoalTypesResponse extends AnalyticsRange {
  @reportedApp
  appId!: number | null;

  @ApiProperty({
    type: [String],
    description: 'Types of the goals in the range, sorted by name',
    example: ['purchase', 'signup'],
  })
  goalTypes!: string[];
}
