import { ApiProperty } from '@nestjs/swagger';
import {
  type ClickStatistics,
  hoursOfWeek,
  StatisticsMeta,
  TopCountry,
  TopItem,
  UtmStatistics,
  withAllDeviceTypes,
} from '../../click-statistics/statistics.dto';
import { percent } from '../../click-statistics/percentages';
import { ShortUrlResponse } from '../short-url.dto';

const top = (description: string) =>
  ApiProperty({
    type: TopItem,
    isArray: true,
    description: `${description}: up to 10, by descending clicks`,
  });

/** Clicks that were led to one of a link's variants (docs/concepts/statistics.md#variants). */
class VariantStatistics {
  @ApiProperty({ description: 'Destination of the variant', example: 'https://shop.example.com/a' })
  url!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Weight that the variant has now; null for a former one',
    example: 50,
  })
  weight!: number | null;

  @ApiProperty({
    description: 'Whether the link no longer has this variant; former ones are listed if they have clicks',
    example: false,
  })
  former!: boolean;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Clicks of people', example: 240 })
  clicks!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'Different visitors of each UTC day, summed over the days',
    example: 180,
  })
  visitors!: number;

  @ApiProperty({
    description: 'Percentage of the clicks in the range that were led to any variant, with one decimal',
    example: 48.2,
  })
  percentage!: number;
}

/**
 * Statistics of one link over a range of UTC days: clicks by people, unless stated otherwise
 * (docs/concepts/statistics.md#link-and-campaign-statistics).
 */
export class LinkStatisticsResponse {
  @ApiProperty({ type: ShortUrlResponse, description: 'The link' })
  url!: ShortUrlResponse;

  @ApiProperty({
    type: [String],
    description: 'Every day of the range',
    example: ['2026-11-19', '2026-11-20'],
  })
  chartLabels!: string[];

  @ApiProperty({ type: [Number], description: 'Clicks on each day', example: [12, 30] })
  chartData!: number[];

  @ApiProperty({
    type: [String],
    description: 'Hours of the day, `00:00` to `23:00`',
    example: ['00:00'],
  })
  hourlyChartLabels!: string[];

  @ApiProperty({
    type: [Number],
    description: 'Clicks in each hour of the day, over the whole range',
    example: [4],
  })
  hourlyChartData!: number[];

  @top('Host names of referring pages; `Direct` without one')
  topReferrers!: TopItem[];

  @ApiProperty({ type: TopCountry, isArray: true, description: 'Countries: up to 10, by descending clicks' })
  topCountries!: TopCountry[];

  @top('Browsers')
  topBrowsers!: TopItem[];

  @top('Operating systems')
  topOsSystems!: TopItem[];

  @ApiProperty({
    type: TopItem,
    isArray: true,
    description: 'Clicks by device type; Mobile, Desktop and Tablet are always present',
  })
  deviceTypeStats!: TopItem[];

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'Clicks by bots and link-preview crawlers in the range, which no other figure includes',
    example: 3,
  })
  botClicks!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'Different visitors of each UTC day, summed over the days that are known',
    example: 31,
  })
  visitors!: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer', format: 'int64', nullable: true },
    description: 'Different visitors on each day',
    example: [10, 21],
  })
  visitorsChartData!: (number | null)[];

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'First day of the range',
    example: '2026-11-19',
  })
  visitorsSince!: string | null;

  @hoursOfWeek
  hourOfWeek!: number[][];

  @ApiProperty({
    type: UtmStatistics,
    description: 'utm values of the destinations that visitors were led to',
  })
  utmValues!: UtmStatistics;

  @ApiProperty({
    type: VariantStatistics,
    isArray: true,
    description: "The link's variants in their order, then former ones by descending clicks",
  })
  variants!: VariantStatistics[];

  @ApiProperty({ type: StatisticsMeta, description: 'The range that the statistics cover' })
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

/** Variants with the same URL are one item. */
function variantsOf(
  present: readonly { url: string; weight: number }[],
  clicked: ClickStatistics['variants'],
): VariantStatistics[] {
  const weights = new Map<string, number>();
  for (const { url, weight } of present) weights.set(url, (weights.get(url) ?? 0) + weight);
  const byUrl = new Map(clicked.map((variant) => [variant.url, variant]));
  const total = clicked.reduce((sum, { clicks }) => sum + clicks, 0);
  const item = (url: string, weight: number | null): VariantStatistics => {
    const { clicks = 0, visitors = 0 } = byUrl.get(url) ?? {};
    return { url, weight, former: weight === null, clicks, visitors, percentage: percent(clicks, total) };
  };
  return [
    ...[...weights].map(([url, weight]) => item(url, weight)),
    ...clicked.filter(({ url }) => !weights.has(url)).map(({ url }) => item(url, null)),
  ];
}
