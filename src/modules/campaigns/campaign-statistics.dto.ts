import { ApiProperty, PickType } from '@nestjs/swagger';
import { TimeZoneName } from '../../access/organizations/organization.atoms';
import { toDateTime } from '../../common/time/format';
import { Text } from '../../common/validation/atoms';
import { percent } from '../click-statistics/percentages';
import { InstallStatisticsRequest } from '../sessions/installs/install-statistics.dto';
import { RevenueStatistics } from '../sessions/statistics/revenue-statistics.dto';
import {
  type ClickStatistics,
  DateRangeQuery,
  hoursOfWeek,
  StatisticsMeta,
  TopCountry,
  TopItem,
  UtmStatistics,
  withAllDeviceTypes,
} from '../click-statistics/statistics.dto';
import type { UserClicks } from '../click-statistics/customers/customer-clicks.query';
import { CampaignResponse } from './campaign.dto';

const optional = true;
const count = (description: string) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example: 30 });
const top = (description: string) =>
  ApiProperty({ type: TopItem, isArray: true, description: `${description}, at most 10, most clicks first` });

export class CampaignStatisticsQuery extends DateRangeQuery {
  @Text({
    max: 100,
    description: 'Restricts every figure to clicks that carried this id as `cid`',
    example: 'customer-42',
    optional,
  })
  customId?: string;
}

export class CampaignInstallStatisticsQuery extends InstallStatisticsRequest {
  @TimeZoneName({
    description: 'IANA time zone of the days; defaults to UTC',
    example: 'Asia/Seoul',
    optional,
  })
  timeZone?: string;
}

class CampaignSummary extends PickType(CampaignResponse, [
  'id',
  'name',
  'alias',
  'link',
  'createdAt',
  'expiresAt',
]) {}

class DailyClicks {
  @ApiProperty({ description: 'Day, UTC', example: '2026-11-20' })
  date!: string;

  @count('Clicks of people')
  clicks!: number;
}

class DailyVisitors {
  @ApiProperty({ description: 'Day, UTC', example: '2026-11-20' })
  date!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'Different visitors; null for days before the service counted them',
    example: 21,
  })
  visitors!: number | null;
}

class HourlyClicks {
  @ApiProperty({ type: 'integer', description: 'Hour of the day, 0 to 23, UTC', example: 8 })
  hour!: number;

  @count('Clicks of people in that hour, over all days of the range')
  clicks!: number;
}

class UserClicksResponse {
  @ApiProperty({ description: 'Id that the click carried as `cid`', example: 'customer-42' })
  customId!: string;

  @count('Clicks of people')
  clicks!: number;

  @ApiProperty({
    format: 'date-time',
    description: 'Last click in the range, UTC',
    example: '2026-11-20T08:32:00Z',
  })
  lastClickedAt!: string;
}

/**
 * Clicks of people on one campaign over a range of UTC days
 * (docs/concepts/statistics.md#link-and-campaign-statistics).
 */
export class CampaignStatisticsResponse {
  @ApiProperty({ type: CampaignSummary, description: 'The campaign' })
  campaign!: CampaignSummary;

  @count('Clicks of people in the range')
  totalClicks!: number;

  @ApiProperty({ type: DailyClicks, isArray: true, description: 'Every day of the range' })
  dailyClicks!: DailyClicks[];

  @ApiProperty({ type: HourlyClicks, isArray: true, description: 'The 24 hours of the day' })
  hourlyClicks!: HourlyClicks[];

  @ApiProperty({
    type: UserClicksResponse,
    isArray: true,
    description: 'By customId, at most 1,000, most clicks first; the parameter `customId` restricts it',
  })
  userClicks!: UserClicksResponse[];

  @ApiProperty({ type: TopCountry, isArray: true, description: 'Countries, at most 10, most clicks first' })
  topCountries!: TopCountry[];

  @top('Trackers: the last part of `/c/<alias>/<tracker>`')
  topTrackers!: TopItem[];

  @top('Browsers')
  topBrowsers!: TopItem[];

  @top('Operating systems')
  topOs!: TopItem[];

  @top('Host names of referring pages; `Direct` when there is none')
  topReferrers!: TopItem[];

  @ApiProperty({
    type: TopItem,
    isArray: true,
    description: 'Mobile, Desktop, Tablet or unknown',
  })
  deviceTypeStats!: TopItem[];

  @count('Clicks of bots and link-preview crawlers in the range; no other figure includes them')
  botClicks!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description:
      'Different visitors of each UTC day, summed over the days that are known; null with `customId`',
    example: 31,
  })
  visitors!: number | null;

  @ApiProperty({
    type: DailyVisitors,
    isArray: true,
    nullable: true,
    description: 'Every day of the range; null with `customId`',
  })
  dailyVisitors!: DailyVisitors[] | null;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'First day of the range; null with `customId`',
    example: '2026-11-19',
  })
  visitorsSince!: string | null;

  @hoursOfWeek
  hourOfWeek!: number[][];

  @ApiProperty({
    type: UtmStatistics,
    nullable: true,
    description: 'utm values of the destinations that visitors were led to; null with `customId`',
  })
  utmValues!: UtmStatistics | null;

  @ApiProperty({
    type: RevenueStatistics,
    nullable: true,
    description:
      'Purchases by people who clicked. Null unless the organization has the add-on REVENUE_ANALYTICS and the user of ' +
      'the API key has the permission revenue.view',
  })
  revenueStats!: RevenueStatistics | null;

  @ApiProperty({ type: StatisticsMeta, description: 'The range that the response covers' })
  meta!: StatisticsMeta;
}

/** The figures that a campaign's statistics are built from. */
export interface CampaignFigures {
  clicks: ClickStatistics;
  users: readonly UserClicks[];
  /** Null when the caller lacks access. */
  revenue: Omit<RevenueStatistics, 'purchaseConversionRate'> | null;
}

export function toCampaignStatisticsResponse(
  { id, name, alias, link, createdAt, expiresAt }: CampaignResponse,
  { clicks, users, revenue }: CampaignFigures,
  meta: StatisticsMeta,
): CampaignStatisticsResponse {
  const { daily, visitors } = clicks;
  return {
    campaign: { id, name, alias, link, createdAt, expiresAt },
    totalClicks: clicks.totalClicks,
    dailyClicks: daily,
    hourlyClicks: clicks.hourly.map((hourClicks, hour) => ({ hour, clicks: hourClicks })),
    userClicks: users.map((user) => ({
      ...user,
      lastClickedAt: toDateTime(new Date(user.lastClickedAt * 1000)),
    })),
    topCountries: clicks.topCountries,
    topTrackers: clicks.topTrackers,
    topBrowsers: clicks.topBrowsers,
    topOs: clicks.topOs,
    topReferrers: clicks.topReferrers,
    deviceTypeStats: withAllDeviceTypes(clicks.deviceTypes),
    botClicks: clicks.botClicks,
    visitors: visitors && visitors.total,
    dailyVisitors: visitors && daily.map(({ date }, i) => ({ date, visitors: visitors.daily[i] ?? null })),
    visitorsSince: visitors && visitors.since,
    hourOfWeek: clicks.hourOfWeek,
    utmValues: clicks.utm,
    revenueStats: revenue && {
      ...revenue,
      purchaseConversionRate: percent(revenue.purchaseCount, clicks.totalClicks),
    },
    meta,
  };
}
