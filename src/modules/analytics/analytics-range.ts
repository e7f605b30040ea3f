import { ApiProperty } from '@nestjs/swagger';
import type { Caller } from '../../access/caller';
import { type DayRange, resolveDayRange } from '../../common/time/date-range';
import { toDateTime } from '../../common/time/format';
import { zoneChangedAt } from '../click-statistics/statistics.dto';
import type { AnalyticsRangeQuery } from './analytics.atoms';

/** What an answer's figures are of. */
export class AnalyticsRange {
  @ApiProperty({
    description: 'First day that the figures are of: that of the request, or the oldest day that is kept',
    example: '2026-10-22',
  })
  startDate!: string;

  @ApiProperty({
    description:
      'Last day, itself included; the day before startDate when the whole range is older than what is kept, and the answer ' +
      'is empty',
    example: '2026-11-20',
  })
  endDate!: string;

  @ApiProperty({ description: "The organization's time zone, whose days these are", example: 'Asia/Seoul' })
  timeZone!: string;

  @zoneChangedAt
  timeZoneChangedAt!: string | null;
}

/**
 * The range that a query means, of the organization's days, as far as data is kept
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
