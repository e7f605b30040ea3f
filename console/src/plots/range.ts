import type { Interval } from './types';

/** Ranges of days, as the statistics of the API take them: both ends inclusive, at most 366 days. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export const RANGES = ['24h', '7d', '30d', '90d', '12m', 'custom'] as const;
export type RangeName = (typeof RANGES)[number];
const INTERVALS: readonly Interval[] = ['hour', 'day', 'week', 'month'];
export const COMPARISONS = ['none', 'previous', 'year'] as const;

export const MAX_DAYS = 366;
/** The longest range that the API gives by hour. */
export const MAX_HOURLY_DAYS = 31;

const DAY_MS = 86_400_000;
/** Days of a range that ends today. The API has no part of a day: the last 24 hours lie in two days. */
const LENGTHS: Record<Exclude<RangeName, 'custom'>, number> = {
  '24h': 2,
  '7d': 7,
  '30d': 30,
  '90d': 90,
  '12m': 365,
};

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && plusDays(text, 0) === text;
}

export function plusDays(day: string, days: number): string {
  const time = Date.parse(`${day}T00:00:00Z`) + days * DAY_MS;
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 10);
}

export function lengthOf({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** The day that it is in a time zone. */
export function dayIn(timeZone: string, time: Date): string {
  return time.toLocaleDateString('sv-SE', { timeZone });
}

/** @param custom used for `custom`; a range that cannot be is the last 30 days */
export function daysOf(range: string, custom: Days, today: string): Days {
  if (range === 'custom' && isDay(custom.from) && isDay(custom.to)) {
    const length = lengthOf(custom);
    if (length >= 1 && length <= MAX_DAYS) return custom;
  }
  const length = Object.hasOwn(LENGTHS, range) ? LENGTHS[range as keyof typeof LENGTHS] : LENGTHS['30d'];
  return { from: plusDays(today, 1 - length), to: today };
}

/** The intervals that suit a range: not a single point, and not more than can be told apart. */
export function intervalsOf(days: Days): Interval[] {
  const length = lengthOf(days);
  return INTERVALS.filter((interval) => {
    if (interval === 'hour') return length <= MAX_HOURLY_DAYS;
    if (interval === 'day') return length > 1;
    return length > (interval === 'week' ? 7 : 31);
  });
}

/** @param wanted taken if it suits the range */
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
  // 52 weeks, so that weekdays meet.
  if (comparison === 'year') return { from: plusDays(days.from, -364), to: plusDays(days.to, -364) };
  return null;
}

/** Clips days to a range; its first and last week or month can reach beyond it. */
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
