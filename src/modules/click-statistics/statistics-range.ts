import type { Caller } from '../../access/caller';
import type { RetentionDays } from '../../access/limits/limits';
import { type DayRange, resolveDayRange } from '../../common/date-range';
import type { DateRangeQuery, StatisticsMeta } from './statistics.dto';

/**
 * Resolves the range of a query, and describes it for the response (docs/concepts/statistics.md#ranges).
 * @param timeZone of the days, UTC by default
 * @param kept the retention limit that applies, by default that of clicks
 * @throws InvalidDateRange
 */
export function statisticsRange(
  { organization }: Caller,
  query: DateRangeQuery,
  now: Date,
  { timeZone, kept = 'clickRetentionDays' }: { timeZone?: string | null; kept?: RetentionDays } = {},
): { range: DayRange; meta: StatisticsMeta } {
  const { [kept]: retentionDays } = organization.limits;
  const range = resolveDayRange(query, { now, retentionDays, ...(timeZone && { timeZone }) });
  const { startDate: actualStartDate, endDate: actualEndDate } = range;
  return { range, meta: { dataRetentionDays: retentionDays, actualStartDate, actualEndDate } };
}
