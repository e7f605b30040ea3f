import { DateTime } from 'luxon';
import type { DayRun } from './raw-clicks.query';

/** Time zones differ by at most 26 hours. */
const FURTHEST = { hours: 26 };

/**
 * Groups days into runs of consecutive ones. Clicks keep the day of the time zone in which they were counted, so a run
 * with days from before the last change of the zone covers more time than those days have in the current zone.
 * @param days `YYYY-MM-DD`, in order
 */
export function dayRuns(days: readonly string[], timeZone: string, zoneChangedAt: Date | null): DayRun[] {
  const runs: { first: string; last: string }[] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run && nextDay(run.last) === day) run.last = day;
    else runs.push({ first: day, last: day });
  }
  return runs.map(({ first, last }) => {
    const from = startOfDay(first, timeZone);
    const to = startOfDay(nextDay(last), timeZone);
    const moved = zoneChangedAt !== null && zoneChangedAt.getTime() > from.minus(FURTHEST).toMillis();
    return {
      first,
      last,
      wider: moved,
      from: (moved ? from.minus(FURTHEST) : from).toJSDate(),
      to: (moved ? to.plus(FURTHEST) : to).toJSDate(),
    };
  });
}

function startOfDay(day: string, zone: string): DateTime {
  return DateTime.fromISO(day, { zone }).startOf('day');
}

function nextDay(day: string): string {
  return DateTime.fromISO(day, { zone: 'utc' }).plus({ days: 1 }).toISODate() ?? '';
}
