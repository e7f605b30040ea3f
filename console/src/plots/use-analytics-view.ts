import { useMemo } from 'react';
import { api } from '../api/client';
import { useView } from '../kit/view';
import { showProblem } from '../kit/toasts';
import { textOf } from '../texts/texts';
import { type Filters, MAX_VALUES, readFilters, toggled, writeFilters } from './filters';
import { comparedDays, dayIn, type Days, daysOf, intervalOf, within } from './range';
import { plotTexts } from './texts';
import type { Dimension, Interval } from './types';

const DEFAULTS = { range: '30d', from: '', to: '', interval: '', compare: 'none', filters: '' };

/** Range parameters of `GET /analytics/clicks`. */
interface RangeQuery {
  startDate: string;
  endDate: string;
  interval: Interval;
  compareStartDate?: string;
  compareEndDate?: string;
}

export interface AnalyticsView {
  /** State in the URL: `range`, `from`, `to`, `interval`, `compare`. */
  readonly chosen: Readonly<Record<keyof typeof DEFAULTS, string>>;
  readonly days: Days;
  readonly compared: Days | null;
  readonly interval: Interval;
  /** The organization's time zone, in which all days are. */
  readonly timeZone: string;
  readonly today: string;
  readonly query: RangeQuery;
  readonly filters: Filters;
  readonly change: (changes: Partial<Record<keyof typeof DEFAULTS, string>>) => void;
  /** Zooms into days within the range, with a new history entry. */
  readonly show: (from: string, to: string) => void;
  /** Adds a value of a dimension to the filters, or removes it. */
  readonly toggle: (dimension: Dimension, value: string) => void;
  readonly clear: () => void;
}

/** Range, comparison and filters of statistics in the URL. Suspends until the time zone is known. */
export function useAnalyticsView(): AnalyticsView {
  const { timeZone } = api.useSuspenseQuery('get', '/').data;
  const [chosen, change] = useView(DEFAULTS);
  const today = dayIn(timeZone);
  const { range, from, to, interval: wanted, compare, filters: given } = chosen;
  return useMemo(() => {
    const days = daysOf(range, { from, to }, today);
    const compared = comparedDays(days, compare);
    const interval = intervalOf(days, wanted);
    const filters = readFilters(given);
    return {
      chosen: { range, from, to, interval: wanted, compare, filters: given },
      days,
      compared,
      interval,
      timeZone,
      today,
      query: {
        startDate: days.from,
        endDate: days.to,
        interval,
        ...(compared && { compareStartDate: compared.from, compareEndDate: compared.to }),
      },
      filters,
      change,
      show: (first, last) =>
        change({ range: 'custom', interval: '', ...within({ from: first, to: last }, days) }),
      toggle: (dimension, value) => {
        const after = toggled(filters, dimension, value);
        if (after) change({ filters: writeFilters(after) });
        else showProblem(textOf(plotTexts, 'tooMany', { count: MAX_VALUES }));
      },
      clear: () => change({ filters: '' }),
    };
  }, [range, from, to, wanted, compare, given, today, timeZone, change]);
}
