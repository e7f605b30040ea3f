import { DateTime } from 'luxon';
import { toDateTime } from '../../../common/time/format';
import type { DayRange } from '../../../common/date-range';
import { addTo, type ClickSums } from '../../click-statistics/breakdowns/click-sums';
import type { ClickPeriod, Interval } from './clicks.dto';

const QUARTER_MS = 900_000;

/** Every period of a range with its sum, in chronological order. */
export function seriesOf(
  sums: ClickSums,
  range: DayRange,
  interval: Interval,
  timeZone: string,
): ClickPeriod[] {
  return interval === 'hour' ? hoursOf(sums, range, timeZone) : periodsOf(sums, range, interval);
}

function periodsOf({ days }: ClickSums, range: DayRange, interval: 'day' | 'week' | 'month'): ClickPeriod[] {
  const periods = new Map<string, number>();
  for (const day of range.days) {
    const start =
      interval === 'day'
        ? day
        : (DateTime.fromISO(day, { zone: 'utc' }).startOf(interval).toISODate() ?? day);
    addTo(periods, start, days.get(day) ?? 0);
  }
  return [...periods].map(([start, value]) => ({ start, value }));
}

/** Hours outside the range are dropped, which days counted in a former time zone may have. */
function hoursOf({ hours }: ClickSums, range: DayRange, timeZone: string): ClickPeriod[] {
  const starts = new Set(hours.keys());
  for (let time = range.from.getTime(); time < range.to.getTime(); time += QUARTER_MS) {
    starts.add(DateTime.fromMillis(time, { zone: timeZone }).startOf('hour').toMillis());
  }
  return [...starts]
    .sort((a, b) => a - b)
    .map((start) => ({ start: toDateTime(new Date(start)), value: hours.get(start) ?? 0 }));
}
