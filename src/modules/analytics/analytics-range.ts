import { ApiProperty } from '@nestjs/swagger';
import type { Caller } from '../../access/caller';
import { type DayRange, resolveDayRange } from '../../common/time/date-range';
import { toDateTime } from '../../common/time/format';
import { zoneChangedAt } from '../click-statistics/statistics.dto';
import type { AnalyticsRangeQuery } from './analytics.atoms';

/** The range of the figures in a response. */
export class AnalyticsRange {
  @ApiProperty({
    description: 'First day of the figures: that of the request, or the oldest day in retention',
    example: '2026-10-22',
  })
  startDate!: string;

  @ApiProperty({
    description:
      'Last day, inclusive; the day before startDate when the whole range is past retention and the response ' +
      'is empty',
    example: '2026-11-20',
  })
  endDate!: string;

  @ApiProperty({ description: "The organization's time zone, which defines the days", example: 'Asia/Seoul' })
  timeZone!: string;

  @zoneChangedAt
  timeZoneChangedAt!: string | null;
}

/**
 * The range of a query in days of the organization's time zone, limited by data retention
 * (docs/concepts/statistics.md#ranges).
 * @throws InvalidDateRange
 */
export function analyticsRange(
  { organization }: Caller,
  query: AnalyticsRangeQuery,
  now: Date,
  defaultDays?: number,
): { range: DayRange; shown: Pick<AnalyticsRange, keyof AnalyticsRange> } {
  const { retentionDays, timeZone, timeZoneChangedAt } = organization;
  const range = resolveDayRange(query, { now, retentionDays, timeZone, defaultDays });
  const { startDate, endDate } = range;
  return { range, shown: { startDate, endDate, timeZone, timeZoneChangedAt: toDateTime(timeZoneChangedAt) } };
}
