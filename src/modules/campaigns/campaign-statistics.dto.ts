import { PickType } from '@nestjs/swagger';
import {
  DATE_OR_NULL,
  DATE_TIME,
  INT64_OR_NULL,
  INTEGER,
  INT64,
  listOf,
  Field,
} from '../../common/http/api-field';
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
import type { CustomerClicks } from '../click-statistics/customers/customer-clicks.query';
import { VariantStatistics, variantsOf } from '../tracked-links/statistics/variant-statistics.dto';
import { CampaignResponse } from './campaign.dto';

const optional = true;
const top = (description: string) =>
  Field(`${description}, at most 10, most clicks first`, undefined, { type: TopItem, isArray: true });

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
  @Field('Day, UTC', '2026-11-20')
  date!: string;

  @Field('Clicks of people', 30, INT64)
  clicks!: number;
}

class DailyVisitors {
  @Field('Day, UTC', '2026-11-20')
  date!: string;

  @Field('Different visitors; null for days before the service counted them', 21, INT64_OR_NULL)
  visitors!: number | null;
}

class HourlyClicks {
  @Field('Hour of the day, 0 to 23, UTC', 8, INTEGER)
  hour!: number;

  @Field('Clicks of people in that hour, over all days of the range', 30, INT64)
  clicks!: number;
}

class UserClicksResponse {
  @Field('Id that the click carried as `cid`', 'customer-42')
  customId!: string;

  @Field('Clicks of people', 30, INT64)
  clicks!: number;

  @Field('Last click in the range, UTC', '2026-11-20T08:32:00Z', DATE_TIME)
  lastClickedAt!: string;
}

/**
 * Clicks of people on one campaign over a range of UTC days
 * (docs/concepts/statistics.md#link-and-campaign-statistics).
 */
export class CampaignStatisticsResponse {
  @Field('The campaign', undefined, { type: CampaignSummary })
  campaign!: CampaignSummary;

  @Field('Clicks of people in the range', 30, INT64)
  totalClicks!: number;

  @Field('Every day of the range', undefined, { type: DailyClicks, isArray: true })
  dailyClicks!: DailyClicks[];

  @Field('The 24 hours of the day', undefined, { type: HourlyClicks, isArray: true })
  hourlyClicks!: HourlyClicks[];

  @Field('By customId, at most 1,000, most clicks first; the parameter `customId` restricts it', undefined, {
    type: UserClicksResponse,
    isArray: true,
  })
  userClicks!: UserClicksResponse[];

  @Field('Countries, at most 10, most clicks first', undefined, { type: TopCountry, isArray: true })
  topCountries!: TopCountry[];

  @top('Regions, ISO 3166-2, as far as they are known')
  topRegions!: TopItem[];

  @top('Cities, as far as they are known')
  topCities!: TopItem[];

  @top('Trackers: the last part of `/c/<alias>/<tracker>`')
  topTrackers!: TopItem[];

  @top('Browsers')
  topBrowsers!: TopItem[];

  @top('Operating systems')
  topOs!: TopItem[];

  @top('Host names of referring pages; `Direct` when there is none')
  topReferrers!: TopItem[];

  @Field('Mobile, Desktop, Tablet or unknown', undefined, { type: TopItem, isArray: true })
  deviceTypeStats!: TopItem[];

  @Field('Clicks of bots and link-preview crawlers in the range; no other figure includes them', 30, INT64)
  botClicks!: number;

  @Field(
    'Different visitors of each UTC day, summed over the days that are known; null with `customId`',
    31,
    INT64_OR_NULL,
  )
  visitors!: number | null;

  @Field('Every day of the range; null with `customId`', undefined, {
    type: DailyVisitors,
    isArray: true,
    nullable: true,
  })
  dailyVisitors!: DailyVisitors[] | null;

  @Field('First day of the range; null with `customId`', '2026-11-19', DATE_OR_NULL)
  visitorsSince!: string | null;

  @hoursOfWeek
  hourOfWeek!: number[][];

  @Field('utm values of the destinations that visitors were led to; null with `customId`', undefined, {
    type: UtmStatistics,
    nullable: true,
  })
  utmValues!: UtmStatistics | null;

  @Field(
    'The variants in their order, then former ones by descending clicks; null with `customId`',
    undefined,
    { ...listOf(VariantStatistics), nullable: true },
  )
  variants!: VariantStatistics[] | null;

  @Field(
    'Purchases by people who clicked. Null unless the organization has the add-on REVENUE_ANALYTICS and the user of ' +
      'the API key has the permission revenue.view',
    undefined,
    { type: RevenueStatistics, nullable: true },
  )
  revenueStats!: RevenueStatistics | null;

  @Field('The range that the response covers', undefined, { type: StatisticsMeta })
  meta!: StatisticsMeta;
}

export interface CampaignFigures {
  clicks: ClickStatistics;
  customers: readonly CustomerClicks[];
  /** Null if the caller may not see revenue. */
  revenue: Omit<RevenueStatistics, 'purchaseConversionRate'> | null;
}

export function toCampaignStatisticsResponse(
  { id, name, alias, link, createdAt, expiresAt, variants }: CampaignResponse,
  { clicks, customers, revenue }: CampaignFigures,
  meta: StatisticsMeta,
): CampaignStatisticsResponse {
  const { daily, visitors } = clicks;
  return {
    campaign: { id, name, alias, link, createdAt, expiresAt },
    totalClicks: clicks.totalClicks,
    dailyClicks: daily,
    hourlyClicks: clicks.hourly.map((hourClicks, hour) => ({ hour, clicks: hourClicks })),
    userClicks: customers.map((customer) => ({
      ...customer,
      lastClickedAt: toDateTime(new Date(customer.lastClickedAt * 1000)),
    })),
    topCountries: clicks.topCountries,
    topRegions: clicks.topRegions,
    topCities: clicks.topCities,
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
    variants: clicks.utm && variantsOf(variants, clicks.variants),
    revenueStats: revenue && {
      ...revenue,
      purchaseConversionRate: percent(revenue.purchaseCount, clicks.totalClicks),
    },
    meta,
  };
}
