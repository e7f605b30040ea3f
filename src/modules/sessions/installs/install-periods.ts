import { DateTime } from 'luxon';
import type { DayRange } from '../../../common/time/date-range';

const DAY_MS = 86_400_000;

/** Which rollups make up a range of days: whole UTC days, and quarters of an hour at its edges. */
export interface InstallPeriods {
  from: Date;
  /** First and last boundary of the whole UTC days inside. */
  wholeFrom: Date;
  wholeTo: Date;
  to: Date;
  /** Where each of its days begins. */
  dayStarts: Date[];
  /** Whether its days are UTC's own. */
  utc: boolean;
}

/** Every zone's offset is a multiple of a quarter of an hour, so that days and quarters cover its days exactly. */
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
