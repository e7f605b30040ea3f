import { Field } from '../../common/http/api-field';
import type { Caller } from '../../access/caller';
import type { RetentionDays } from '../../access/limits/limits';
import { ValidationFailed } from '../../common/errors/errors';
import { type DayRange, type RangeNames, resolveDayRange } from '../../common/date-range';
import { toDateTime } from '../../common/time/format';
import { zoneChangedAt } from '../click-statistics/statistics.dto';
import type { AnalyticsRangeQuery } from './analytics.atoms';

export class AnalyticsRange {
  @Field('First day of the figures: that of the request, or the oldest day in retention', '2026-10-22')
  startDate!: string;

  @Field(
    'Last day, inclusive; the day before startDate when the whole range is past retention and the response ' +
      'is empty',
    '2026-11-20',
  )
  endDate!: string;

  @Field("The organization's time zone, which defines the days", 'Asia/Seoul')
  timeZone!: string;

  @zoneChangedAt
  timeZoneChangedAt!: string | null;
}

interface ResolvedRange {
  range: DayRange;
  shown: Pick<AnalyticsRange, keyof AnalyticsRange>;
}

/**
 * The days of a query in the organization's time zone, limited by data retention (docs/concepts/statistics.md#ranges).
 * @param kept the limit that applies to the data
 * @throws InvalidDateRange
 */
export function analyticsRange(
  { organization }: Caller,
  query: AnalyticsRangeQuery,
  now: Date,
  kept: RetentionDays,
  options: { defaultDays?: number; names?: RangeNames } = {},
): ResolvedRange {
  const { timeZone, timeZoneChangedAt, limits } = organization;
  const { [kept]: retentionDays } = limits;
  const range = resolveDayRange(query, { now, retentionDays, timeZone, ...options });
  const { startDate, endDate } = range;
  return { range, shown: { startDate, endDate, timeZone, timeZoneChangedAt: toDateTime(timeZoneChangedAt) } };
}

/**
 * The comparison range of a query, if it has one.
 * @throws ValidationFailed, InvalidDateRange
 */
export function comparedRange(
  caller: Caller,
  query: { compareStartDate?: string | null; compareEndDate?: string | null },
  now: Date,
  kept: RetentionDays,
): ResolvedRange | null {
  const { compareStartDate: startDate, compareEndDate: endDate } = query;
  if (!startDate && !endDate) return null;
  if (!startDate) throw ValidationFailed.field('compareStartDate', 'is required with compareEndDate');
  if (!endDate) throw ValidationFailed.field('compareEndDate', 'is required with compareStartDate');
  const names = { start: 'compareStartDate', end: 'compareEndDate' };
  return analyticsRange(caller, { startDate, endDate }, now, kept, { names });
}

/**
 * Change in percent between two figures as displayed, so that readers can reproduce it; null if the earlier one is 0.
 */
export function changePct(now: number, then: number): number | null {
  return then === 0 ? null : Math.round(((now - then) / then) * 1000) / 10;
}
