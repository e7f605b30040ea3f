import { ApiProperty } from '@nestjs/swagger';
import {
  type ClickStatistics,
  StatisticsMeta,
  TopCountry,
  TopItem,
  withAllDeviceTypes,
} from '../../click-statistics/statistics.dto';
import { ShortUrlResponse } from '../short-url.dto';

const top = (description: string) =>
  ApiProperty({
    type: TopItem,
    isArray: true,
    description: `${description}: up to 10, by descending clicks`,
  });

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
    meta,
  };
}
