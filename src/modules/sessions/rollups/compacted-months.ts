import { DAY_MS, firstOfMonth } from '../../../common/time/months';

/**
 * Months that changes on these days may invalidate, because they may be compacted.
 * @param days `YYYY-MM-DD`
 * @returns the first day of each month, in chronological order
 */
export function lateMonths(days: Iterable<string>, now: number): string[] {
  const current = firstOfMonth(now - DAY_MS);
  const months = new Set<string>();
  for (const day of days) if (day < current) months.add(`${day.slice(0, 7)}-01`);
  return [...months].sort();
}

/** SQL query for the compacted months of organization $1. */
export const COMPACTED_MONTHS = `SELECT month FROM session_months WHERE organization_id = $1 AND is_compacted`;
