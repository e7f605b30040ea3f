import { DateTime } from 'luxon';
import type { DayRange } from '../../../common/date-range';

const DAY_MS = 86_400_000;

/** Rollup periods that add up to a range of days: whole UTC days, and quarters of an hour at both ends. */
export interface InstallPeriods {
  from: Date;
  wholeFrom: Date;
  wholeTo: Date;
  to: Date;
  dayStarts: Date[];
  /** Whether the days of the range are UTC days. */
  utc: boolean;
}

/** Exact in every time zone, because offsets are multiples of a quarter of an hour. */
export function installPeriods({ from, to, days }: DayRange, timeZone: string): InstallPeriods {
  const dayStarts = days.map((day) => DateTime.fromISO(day, { zone: timeZone }).startOf('day').toJSDate());
  const wholeFrom = Math.ceil(from.getTime() / DAY_MS) * DAY_MS;
  const wholeTo = Math.floor(to.getTime() / DAY_MS) * DAY_MS;
  const whole = wholeFrom < wholeTo;
  return {
    from,
    wholeFrom: whole ? new Date(wholeFrom) : to,
    wholeTo: whole ? new Date(wholeTo) : to,
    to,
    dayStarts,
    utc: [...dayStarts, to].every((start) => start.getTime() % DAY_MS === 0),
  };
}
