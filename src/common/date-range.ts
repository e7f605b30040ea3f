import { DateTime } from 'luxon';
import { InvalidDateRange } from './errors/errors';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/**
 * A half-open range of whole days, `[from, to)`, in one time zone. For an empty range, `endDate` is the day before
 * `startDate`.
 */
export interface DayRange {
  /** First day, `YYYY-MM-DD`. */
  startDate: string;
  /** Last day, `YYYY-MM-DD`, inclusive. */
  endDate: string;
  from: Date;
  to: Date;
  days: string[];
}

/** Names of the request fields of a range. */
export interface RangeNames {
  start: string;
  end: string;
}

const NAMES: RangeNames = { start: 'startDate', end: 'endDate' };

/**
 * The range of a statistics query. Without dates it is the last 30 days, including today; a single date puts
 * the other one 29 days away, today at the latest. It is then limited to the organization's data retention; a
 * range entirely before that is empty (docs/concepts/statistics.md#ranges).
 * @param context defaultDays: length of the default range, 30 if absent; names: the fields that errors name
 * @throws InvalidDateRange if start is after end, or the range exceeds 366 days
 */
export function resolveDayRange(
  query: { startDate?: string | null; endDate?: string | null },
  context: { now: Date; retentionDays: number; timeZone?: string; defaultDays?: number; names?: RangeNames },
): DayRange {
  const { timeZone: zone = 'utc', defaultDays = DEFAULT_DAYS, names = NAMES } = context;
  // Date arithmetic in UTC, where every day starts at midnight and has 24 hours.
  const day = (text: string) => DateTime.fromISO(text, { zone: 'utc' });
  const today = day(DateTime.fromJSDate(context.now, { zone }).toISODate() ?? '');

  const end = query.endDate
    ? day(query.endDate)
    : query.startDate
      ? DateTime.min(day(query.startDate).plus({ days: defaultDays - 1 }), today)
      : today;
  const start = query.startDate ? day(query.startDate) : end.minus({ days: defaultDays - 1 });
  if (start > end) {
    throw new InvalidDateRange(names.start, `must not be after ${query.endDate ? names.end : 'today'}`);
  }
  if (end.diff(start, 'days').days >= MAX_DAYS) {
    throw new InvalidDateRange(names.start, `must be at most ${MAX_DAYS - 1} days before ${names.end}`);
  }

  const oldest = today.minus({ days: context.retentionDays - 1 });
  const actualEnd = DateTime.max(end, oldest.minus({ days: 1 }));
  const actualStart = DateTime.max(start, oldest);
  const days: string[] = [];
  for (let d = actualStart; d <= actualEnd; d = d.plus({ days: 1 })) days.push(d.toISODate() ?? '');
  return {
    startDate: actualStart.toISODate() ?? '',
    endDate: actualEnd.toISODate() ?? '',
    from: startOfDay(actualStart, zone),
    to: startOfDay(actualEnd.plus({ days: 1 }), zone),
    days,
  };
}

function startOfDay(date: DateTime, zone: string): Date {
  return date.setZone(zone, { keepLocalTime: true }).startOf('day').toJSDate();
}
