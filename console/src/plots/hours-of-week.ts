import type { Point } from './types';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Sums hours by weekday, from Monday, and hour of the day. */
export function hoursOfWeek(series: readonly Point[], timeZone: string): number[][] {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  const sums = DAYS.map(() => new Array<number>(24).fill(0));
  for (const { start, value } of series) {
    const parts = new Map(format.formatToParts(new Date(start)).map((part) => [part.type, part.value]));
    const day = sums[DAYS.indexOf(parts.get('weekday') ?? '')];
    const hour = Number(parts.get('hour'));
    if (day?.[hour] !== undefined) day[hour] += value;
  }
  return sums;
}
