import { UsageError } from './exit';

export interface DateRange {
  startDate: string;
  endDate: string;
}

const DAY_MS = 86_400_000;

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The range of the same length that ends before another begins. */
export function rangeBefore({ startDate, endDate }: DateRange): DateRange {
  const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1;
  if (!(days >= 1)) throw new UsageError('startDate: must not be after endDate');
  return { startDate: addDays(startDate, -days), endDate: addDays(startDate, -1) };
}
