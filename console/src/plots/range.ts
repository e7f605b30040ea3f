import { isDay } from '../kit/local-time';
import type { Interval } from './types';

/** Ranges of days, as in the API's statistics: both ends inclusive, at most 366 days. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export const RANGES = [
  'today',
  'yesterday',
  '24h',
  'thisWeek',
  'lastWeek',
  '7d',
  'thisMonth',
  'lastMonth',
  '30d',
  '90d',
  '12m',
  'custom',
] as const;
export type RangeName = (typeof RANGES)[number];
const INTERVALS: readonly Interval[] = ['hour', 'day', 'week', 'month'];
export const COMPARISONS = ['none', 'previous', 'weekdays', 'year'] as const;

export const MAX_DAYS = 366;
/** Longest range with hourly figures in the API. */
export const MAX_HOURLY_DAYS = 31;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Days of ranges that end today. The API has whole days only, so the last 24 hours are two days. */
const LENGTHS = {
  today: 1,
  '24h': 2,
  '7d': 7,
  '30d': 30,
  '90d': 90,
  '12m': 365,
} as const;

/** Calendar ranges; weeks start on Monday, as in the API. */
const CALENDAR: Record<Exclude<RangeName, 'custom' | keyof typeof LENGTHS>, (today: string) => Days> = {
  yesterday: (today) => ({ from: plusDays(today, -1), to: plusDays(today, -1) }),
  thisWeek: (today) => ({ from: mondayOf(today), to: today }),
  lastWeek: (today) => ({ from: plusDays(mondayOf(today), -7), to: plusDays(mondayOf(today), -1) }),
  thisMonth: (today) => ({ from: firstOf(today), to: today }),
  lastMonth: (today) => {
    const to = plusDays(firstOf(today), -1);
    return { from: firstOf(to), to };
  },
};

export function plusDays(day: string, days: number): string {
  const time = Date.parse(`${day}T00:00:00Z`) + days * DAY_MS;
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 10);
}

/** The Monday of the day's week. */
export function mondayOf(day: string): string {
  return plusDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

function firstOf(day: string): string {
  return `${day.slice(0, 8)}01`;
}

export function lengthOf({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** The day of a time in a time zone. */
export function dayIn(timeZone: string, time = new Date()): string {
  return time.toLocaleDateString('sv-SE', { timeZone });
}

/** @param custom range for `custom`; an invalid range becomes the last 30 days */
export function daysOf(range: string, custom: Days, today: string): Days {
  if (range === 'custom' && isDay(custom.from) && isDay(custom.to)) {
    const length = lengthOf(custom);
    if (length >= 1 && length <= MAX_DAYS) return custom;
  }
  if (Object.hasOwn(CALENDAR, range)) return CALENDAR[range as keyof typeof CALENDAR](today);
  const length = Object.hasOwn(LENGTHS, range) ? LENGTHS[range as keyof typeof LENGTHS] : LENGTHS['30d'];
  return { from: plusDays(today, 1 - length), to: today };
}

/** The intervals that suit a range: with more than one point, but not too many to distinguish. */
export function intervalsOf(days: Days): Interval[] {
  const length = lengthOf(days);
  return INTERVALS.filter((interval) => {
    if (interval === 'hour') return length <= MAX_HOURLY_DAYS;
    if (interval === 'day') return length > 1;
    return length > (interval === 'week' ? 7 : 31);
  });
}

/** @param wanted used if it suits the range */
export function intervalOf(days: Days, wanted: string): Interval {
  const suitable = intervalsOf(days);
  const found = suitable.find((interval) => interval === wanted);
  if (found) return found;
  const length = lengthOf(days);
  return length <= 2 ? 'hour' : length <= 120 ? 'day' : 'week';
}

export function comparedDays(days: Days, comparison: string): Days | null {
  if (comparison === 'previous') {
    const length = lengthOf(days);
    return { from: plusDays(days.from, -length), to: plusDays(days.to, -length) };
  }
  if (comparison === 'weekdays') {
    const shift = -7 * Math.ceil(lengthOf(days) / 7);
    return { from: plusDays(days.from, shift), to: plusDays(days.to, shift) };
  }
  // 52 weeks, so that weekdays match.
  if (comparison === 'year') return { from: plusDays(days.from, -364), to: plusDays(days.to, -364) };
  return null;
}

/** Whether a period of a series has not ended. @param start a day, or the time of an hour */
export function isRunning(start: string, interval: Interval, timeZone: string, now: Date): boolean {
  if (interval === 'hour') {
    const passed = now.getTime() - Date.parse(start);
    return passed >= 0 && passed < HOUR_MS;
  }
  const today = dayIn(timeZone, now);
  return start <= today && today <= daysBetween(start, start, interval, timeZone).to;
}

/** Clips days to a range, because its first and last week or month can extend beyond it. */
export function within({ from, to }: Days, range: Days): Days {
  return { from: from < range.from ? range.from : from, to: to > range.to ? range.to : to };
}

/** The days of a part of a series. */
export function daysBetween(first: string, last: string, interval: Interval, timeZone: string): Days {
  if (interval === 'hour')
    return { from: dayIn(timeZone, new Date(first)), to: dayIn(timeZone, new Date(last)) };
  if (interval === 'day') return { from: first, to: last };
  if (interval === 'week') return { from: first, to: plusDays(last, 6) };
  const end = new Date(`${last}T00:00:00Z`);
  end.setUTCMonth(end.getUTCMonth() + 1, 0);
  return { from: first, to: end.toISOString().slice(0, 10) };
}
