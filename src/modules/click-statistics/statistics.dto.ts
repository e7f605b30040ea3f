import { ApiProperty } from '@nestjs/swagger';
import { DateText } from '../../common/validation/atoms';

/** Range of a statistics query; the last 30 days when neither date is given (docs/concepts/statistics.md#ranges). */
export class DateRangeQuery {
  @DateText({
    optional: true,
    description:
      'First day, UTC; INVALID_DATE_RANGE when after endDate. Without endDate, the range is 30 days long or ends ' +
      'today, whichever is shorter',
    example: '2026-11-01',
  })
  startDate?: string | null;

  @DateText({
    optional: true,
    description: 'Last day, UTC, itself included; at most 366 days in all',
    example: '2026-11-20',
  })
  endDate?: string | null;
}

/** When the organization's time zone became what it is: docs/concepts/statistics.md#time-zones. */
export const zoneChangedAt = ApiProperty({
  type: String,
  format: 'date-time',
  nullable: true,
  description:
    "When the organization's time zone was changed last, UTC; null: never. Days before it stay those of the time zone " +
    'of their time',
  example: null,
});

/** One item of a top list (docs/concepts/statistics.md#items-of-lists). */
export class TopItem {
  @ApiProperty({ description: 'Name; `Unknown` where it could not be told', example: 'Chrome' })
  name!: string;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Clicks', example: 640 })
  count!: number;

  @ApiProperty({ description: 'Percent of the clicks of the range, one decimal', example: 64.1 })
  percentage!: number;
}

/** A country of a top list. */
export class TopCountry extends TopItem {
  @ApiProperty({ description: 'English name, or `Unknown`', example: 'South Korea' })
  declare name: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ISO 3166-1 alpha-2; null when unknown',
    example: 'KR',
  })
  code!: string | null;
}

/** What a statistics answer was really computed over. */
export class StatisticsMeta {
  @ApiProperty({ type: 'integer', description: "Days that the organization's plan keeps data", example: 400 })
  dataRetentionDays!: number;

  @ApiProperty({
    description: 'First day of the answer: that of the request, or the oldest day that is kept',
    example: '2026-10-22',
  })
  actualStartDate!: string;

  @ApiProperty({
    description:
      'Last day of the answer; the day before actualStartDate when the whole range is older than what is kept, and the ' +
      'answer is empty',
    example: '2026-11-20',
  })
  actualEndDate!: string;
}

/** Clicks of one link or campaign over a range, people only, as links and campaigns present them. */
export interface ClickStatistics {
  /** Clicks of every day of the range, in order. */
  daily: { date: string; clicks: number }[];
  /** Clicks by hour of the day, 0 to 23, UTC. */
  hourly: number[];
  totalClicks: number;
  /** Bots and link-preview crawlers, counted apart. */
  botClicks: number;
  topReferrers: TopItem[];
  topCountries: TopCountry[];
  topBrowsers: TopItem[];
  topOs: TopItem[];
  topTrackers: TopItem[];
  deviceTypes: TopItem[];
}

const DEVICE_TYPES = ['Mobile', 'Desktop', 'Tablet'];

/** The three device types are always there, those without a click at the end. */
export function withAllDeviceTypes(items: TopItem[]): TopItem[] {
  const missing = DEVICE_TYPES.filter((name) => !items.some((item) => item.name === name));
  return [...items, ...missing.map((name) => ({ name, count: 0, percentage: 0 }))];
}
