import { DateTime } from 'luxon';

/** Days of a plan's month, `YYYY-MM-DD`; `end` is the first day of the next one. */
export interface PlanPeriod {
  readonly start: string;
  readonly end: string;
  /** 0 is the period that the plan began with. */
  readonly number: number;
}

const day = (text: string) => DateTime.fromISO(text, { zone: 'utc' });
const text = (date: DateTime) => date.toISODate() ?? '';

/** Where a period starts. A plan that began on the 31st starts anew on the last day of shorter months. */
function startOf(began: string, number: number): string {
  return text(day(began).plus({ months: number }));
}

/** The period that a day is in: a day on the boundary is in the new one. @param began first day of the plan */
export function planPeriod(began: string, date: string): PlanPeriod {
  const from = day(began);
  const to = day(date);
  const months = (to.year - from.year) * 12 + to.month - from.month;
  const number = startOf(began, months) <= date ? months : months - 1;
  return { start: startOf(began, number), end: startOf(began, number + 1), number };
}
