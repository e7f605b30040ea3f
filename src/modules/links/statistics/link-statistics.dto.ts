import { DATE_OR_NULL, INT64, listOf, Field } from '../../../common/http/api-field';
import {
  type ClickStatistics,
  hoursOfWeek,
  StatisticsMeta,
  TopCountry,
  TopItem,
  UtmStatistics,
  withAllDeviceTypes,
} from '../../click-statistics/statistics.dto';
import { VariantStatistics, variantsOf } from '../../tracked-links/statistics/variant-statistics.dto';
import { ShortUrlResponse } from '../short-url.dto';

const top = (description: string) =>
  Field(`${description}: up to 10, by descending clicks`, undefined, listOf(TopItem));

/**
 * Statistics of one link over a range of UTC days: clicks by people, unless stated otherwise
 * (docs/concepts/statistics.md#link-and-campaign-statistics).
 */
export class LinkStatisticsResponse {
  @Field('The link', undefined, { type: ShortUrlResponse })
  url!: ShortUrlResponse;

  @Field('Every day of the range', ['2026-11-19', '2026-11-20'], { type: [String] })
  chartLabels!: string[];

  @Field('Clicks on each day', [12, 30], { type: [Number] })
  chartData!: number[];

  @Field('Hours of the day, `00:00` to `23:00`', ['00:00'], { type: [String] })
  hourlyChartLabels!: string[];

  @Field('Clicks in each hour of the day, over the whole range', [4], { type: [Number] })
  hourlyChartData!: number[];

  @top('Host names of referring pages; `Direct` without one')
  topReferrers!: TopItem[];

  @Field('Countries: up to 10, by descending clicks', undefined, listOf(TopCountry))
  topCountries!: TopCountry[];

  @top('Regions, ISO 3166-2, as far as they are known')
  topRegions!: TopItem[];

  @top('Cities, as far as they are known')
  topCities!: TopItem[];

  @top('Browsers')
  topBrowsers!: TopItem[];

  @top('Operating systems')
  topOsSystems!: TopItem[];

  @Field('Clicks by device type; Mobile, Desktop and Tablet are always present', undefined, listOf(TopItem))
  deviceTypeStats!: TopItem[];

  @Field('Clicks by bots and link-preview crawlers in the range, which no other figure includes', 3, INT64)
  botClicks!: number;

  @Field('Different visitors of each UTC day, summed over the days that are known', 31, INT64)
  visitors!: number;

  @Field('Different visitors on each day', [10, 21], {
    type: 'array',
    items: { type: 'integer', format: 'int64', nullable: true },
  })
  visitorsChartData!: (number | null)[];

  @Field('First day of the range', '2026-11-19', DATE_OR_NULL)
  visitorsSince!: string | null;

  @hoursOfWeek
  hourOfWeek!: number[][];

  @Field('utm values of the destinations that visitors were led to', undefined, { type: UtmStatistics })
  utmValues!: UtmStatistics;

  @Field(
    "The link's variants in their order, then former ones by descending clicks",
    undefined,
    listOf(VariantStatistics),
  )
  variants!: VariantStatistics[];

  @Field('The range that the statistics cover', undefined, { type: StatisticsMeta })
  meta!: StatisticsMeta;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

export function toLinkStatisticsResponse(
  url: ShortUrlResponse,
  clicks: ClickStatistics,
  meta: StatisticsMeta,
): LinkStatisticsResponse {
  return {
    url,
    chartLabels: clicks.daily.map(({ date }) => date),
    chartData: clicks.daily.map((day) => day.clicks),
    hourlyChartLabels: HOURS,
    hourlyChartData: clicks.hourly,
    topReferrers: clicks.topReferrers,
    topCountries: clicks.topCountries,
    topRegions: clicks.topRegions,
    topCities: clicks.topCities,
    topBrowsers: clicks.topBrowsers,
    topOsSystems: clicks.topOs,
    deviceTypeStats: withAllDeviceTypes(clicks.deviceTypes),
    botClicks: clicks.botClicks,
    visitors: clicks.visitors?.total ?? 0,
    visitorsChartData: clicks.visitors?.daily ?? [],
    visitorsSince: clicks.visitors?.since ?? null,
    hourOfWeek: clicks.hourOfWeek,
    utmValues: clicks.utm ?? NO_UTM,
    variants: variantsOf(url.variants, clicks.variants),
    meta,
  };
}

const NO_UTM: UtmStatistics = { utmSource: [], utmMedium: [], utmCampaign: [], utmTerm: [], utmContent: [] };
