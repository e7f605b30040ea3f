import { DateTime } from 'luxon';

/** A monthly period of a plan, as days `YYYY-MM-DD`; `end` is exclusive. */
export interface PlanPeriod {
  readonly start: string;
  readonly end: string;
  /** 0 for the first period of the plan. */
  readonly number: number;
}

const day = (text: string) => DateTime.fromISO(text, { zone: 'utc' });
const text = (date: DateTime) => date.toISODate() ?? '';

/** First day of a period: for a plan started on the 31st, the last day of a shorter month. */
function startOf(began: string, number: number): string {
  return text(day(began).plus({ months: number }));
}

/** The period that contains a day. @param began first day of the plan */
export function planPeriod(began: string, date: string): PlanPeriod {
  const from = day(began);
  const to = day(date);
  const months = (to.year - from.year) * 12 + to.month - from.month;
  const number = startOf(began, months) <= date ? months : months - 1;
  return { start: startOf(began, number), end: startOf(began, number + 1), number };
}
