import { ApiProperty } from '@nestjs/swagger';
import type { Caller } from '../../access/caller';
import { type DayRange, resolveDayRange } from '../../common/time/date-range';
import type { AnalyticsRangeQuery } from './analytics.atoms';

/** What an answer's figures are of. */
export class AnalyticsRange {
  @ApiProperty({ description: 'First day that the figures are of', example: '2026-10-22' })
  startDate!: string;

  @ApiProperty({ description: 'Last day, itself included', example: '2026-11-20' })
  endDate!: string;

  @ApiProperty({ description: "The organization's time zone, whose days these are", example: 'Asia/Seoul' })
  timeZone!: string;
}

/**
 * The range that a query means, of the organization's days, as far as data is kept (4-decisions §2).
 * @throws InvalidDateRange
 */
export function analyticsRange(
  { organization }: Caller,
  query: AnalyticsRangeQuery,
  now: Date,
  defaultDays?: number,
): { range: DayRange; shown: Pick<AnalyticsRange, keyof AnalyticsRange> } {
  const { retentionDays, timeZone } = organization;
  const range = resolveDayRange(query, { now, retentionDays, timeZone, defaultDays });
  return { range, shown: { startDate: range.startDate, endDate: range.endDate, timeZone } };
}
