import { ApiProperty } from '@nestjs/swagger';
import { DateText } from '../../common/validation/atoms';

/** Range of a statistics query; default: the last 30 days (docs/concepts/statistics.md#ranges). */
export class DateRangeQuery {
  @DateText({
    optional: true,
    description:
      'First day, UTC; INVALID_DATE_RANGE if it is after endDate. Without endDate, the range covers 30 days, or fewer ' +
      'if today comes first',
    example: '2026-11-01',
  })
  startDate?: string | null;

  @DateText({
    optional: true,
    description: 'Last day, UTC, inclusive; the range covers at most 366 days',
    example: '2026-11-20',
  })
  endDate?: string | null;
}

/** Time of the last change of the organization's time zone (docs/concepts/statistics.md#time-zones). */
export const zoneChangedAt = ApiProperty({
  type: String,
  format: 'date-time',
  nullable: true,
  description:
    "Time of the last change of the organization's time zone, UTC; null if it never changed. Earlier days keep the " +
    'time zone that applied to them',
  example: null,
});

/** One item of a top list (docs/concepts/statistics.md#items-of-lists). */
export class TopItem {
  @ApiProperty({ description: 'Name; `Unknown` if it could not be determined', example: 'Chrome' })
  name!: string;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Clicks', example: 640 })
  count!: number;

  @ApiProperty({ description: 'Percentage of the clicks in the range, with one decimal', example: 64.1 })
  percentage!: number;
}

/** A country of a top list. */
export class TopCountry extends TopItem {
  @ApiProperty({ description: 'English name, or `Unknown`', example: 'South Korea' })
  declare name: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ISO 3166-1 alpha-2 code; null if unknown',
    example: 'KR',
  })
  code!: string | null;
}

/** The range that a statistics response covers. */
export class StatisticsMeta {
  @ApiProperty({
    type: 'integer',
    description: "Data retention of the organization's plan, in days",
    example: 400,
  })
  dataRetentionDays!: number;

  @ApiProperty({
    description: 'First day of the response: the requested one, or the oldest day within the retention',
    example: '2026-10-22',
  })
  actualStartDate!: string;

  @ApiProperty({
    description:
      'Last day of the response. If the whole range is past the retention, the response is empty, and this is the day ' +
      'before actualStartDate',
    example: '2026-11-20',
  })
  actualEndDate!: string;
}

/** Clicks of people on one link or campaign over a range. */
export interface ClickStatistics {
  /** One item for every day of the range, in order. */
  daily: { date: string; clicks: number }[];
  /** Clicks by hour of the day, 0 to 23, UTC. */
  hourly: number[];
  totalClicks: number;
  /** Clicks of bots and link-preview crawlers, counted separately. */
  botClicks: number;
  topReferrers: TopItem[];
  topCountries: TopCountry[];
  topBrowsers: TopItem[];
  topOs: TopItem[];
  topTrackers: TopItem[];
  deviceTypes: TopItem[];
}

const DEVICE_TYPES = ['Mobile', 'Desktop', 'Tablet'];

/** Appends the device types without clicks, so that all three are always present. */
export function withAllDeviceTypes(items: TopItem[]): TopItem[] {
  const missing = DEVICE_TYPES.filter((name) => !items.some((item) => item.name === name));
  return [...items, ...missing.map((name) => ({ name, count: 0, percentage: 0 }))];
}
