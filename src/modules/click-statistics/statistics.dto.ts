import { ApiProperty } from '@nestjs/swagger';
import { DATE_TIME_OR_NULL, INT64, INTEGER, TEXT_OR_NULL, listOf, Field } from '../../common/http/api-field';
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
export const zoneChangedAt = Field(
  "Time of the last change of the organization's time zone, UTC; null if it never changed. Earlier days keep the " +
    'time zone that applied to them',
  null,
  DATE_TIME_OR_NULL,
);

/** An item of a top list (docs/concepts/statistics.md#items-of-lists). */
export class TopItem {
  @Field('Name; `Unknown` if it could not be determined', 'Chrome')
  name!: string;

  @Field('Clicks', 640, INT64)
  count!: number;

  @Field('Percentage of the clicks in the range, with one decimal', 64.1)
  percentage!: number;
}

export class TopCountry extends TopItem {
  @Field('English name, or `Unknown`', 'South Korea')
  declare name: string;

  @Field('ISO 3166-1 alpha-2 code; null if unknown', 'KR', TEXT_OR_NULL)
  code!: string | null;
}

export class StatisticsMeta {
  @Field("Data retention of the organization's plan, in days", 400, INTEGER)
  dataRetentionDays!: number;

  @Field('First day of the response: the requested one, or the oldest day within the retention', '2026-10-22')
  actualStartDate!: string;

  @Field(
    'Last day of the response. If the whole range is past the retention, the response is empty, and this is the day ' +
      'before actualStartDate',
    '2026-11-20',
  )
  actualEndDate!: string;
}

const topUtm = (parameter: string) =>
  Field(`Values of ${parameter}: up to 10, by descending clicks`, undefined, listOf(TopItem));

/** Clicks by the utm values of the destination that visitors were sent to. */
export class UtmStatistics {
  @topUtm('utm_source')
  utmSource!: TopItem[];

  @topUtm('utm_medium')
  utmMedium!: TopItem[];

  @topUtm('utm_campaign')
  utmCampaign!: TopItem[];

  @topUtm('utm_term')
  utmTerm!: TopItem[];

  @topUtm('utm_content')
  utmContent!: TopItem[];
}

/** Clicks in each hour of the week, in UTC. */
export const hoursOfWeek = ApiProperty({
  type: 'array',
  items: { type: 'array', items: { type: 'integer', format: 'int64' }, minItems: 24, maxItems: 24 },
  minItems: 7,
  maxItems: 7,
  description:
    'Clicks in each hour of the week over the whole range, UTC: seven lists from Monday on, of 24 hours each',
  example: Array.from({ length: 7 }, () => Array.from({ length: 24 }, (_, hour) => hour)),
});

/** Unique visitors of a link or campaign by UTC day (docs/concepts/statistics.md#visitors). */
export interface VisitorCounts {
  /** Sum over the known days. */
  total: number;
  /** One item for every day of the range, in order; null if unknown. */
  daily: (number | null)[];
  /** First day from which every day is known, `YYYY-MM-DD`; null if the last day is unknown. */
  since: string | null;
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
  /** Empty without a database of cities, as are cities. */
  topRegions: TopItem[];
  topCities: TopItem[];
  topBrowsers: TopItem[];
  topOs: TopItem[];
  topTrackers: TopItem[];
  deviceTypes: TopItem[];
  /** Clicks by hour of the week, UTC: from Monday, 24 hours each. */
  hourOfWeek: number[][];
  /** Null for a customId. */
  visitors: VisitorCounts | null;
  /** Null for a customId. */
  utm: UtmStatistics | null;
  /** Clicks and visitors by URL of the variant, most clicks first. */
  variants: { url: string; clicks: number; visitors: number }[];
}

const DEVICE_TYPES = ['Mobile', 'Desktop', 'Tablet'];

/** Appends device types without clicks, so that all three are always present. */
export function withAllDeviceTypes(items: TopItem[]): TopItem[] {
  const missing = DEVICE_TYPES.filter((name) => !items.some((item) => item.name === name));
  return [...items, ...missing.map((name) => ({ name, count: 0, percentage: 0 }))];
}
