import { api } from '../../api/client';
import { dayIn, plusDays } from '../../plots/range';
import type { ClickAnalytics, Dimension } from '../../plots/types';

export const REFRESH_MS = 60_000;
const DAYS = 30;
const HOUR_MS = 3_600_000;

/** Figures of today and of the last 30 days, refreshed regularly. Suspends until the time zone is known. */
export function useFigures() {
  const { timeZone } = api.useSuspenseQuery('get', '/').data;
  const today = dayIn(timeZone);
  const yesterday = plusDays(today, -1);
  const thisDay = {
    startDate: today,
    endDate: today,
    compareStartDate: yesterday,
    compareEndDate: yesterday,
    interval: 'hour' as const,
  };
  const days = { startDate: plusDays(today, 1 - DAYS), endDate: today };
  const before = { compareStartDate: plusDays(today, 1 - 2 * DAYS), compareEndDate: plusDays(today, -DAYS) };
  return {
    timeZone,
    days,
    today: useClicks({ ...thisDay, metric: 'clicks' }),
    todayVisitors: useClicks({ ...thisDay, metric: 'visitors' }),
    last30: useClicks({ ...days, ...before, metric: 'clicks' }),
    last30Visitors: useClicks({ ...days, ...before, metric: 'visitors' }),
    links: useGroups(days, 'link'),
    campaigns: useGroups(days, 'campaign'),
    countries: useGroups(days, 'country', 100),
  };
}

function useClicks(query: {
  startDate: string;
  endDate: string;
  metric: 'clicks' | 'visitors';
  interval?: 'hour';
  compareStartDate: string;
  compareEndDate: string;
}) {
  return api.useQuery('get', '/analytics/clicks', { params: { query } }, { refetchInterval: REFRESH_MS });
}

function useGroups(days: { startDate: string; endDate: string }, groupBy: Dimension, limit = 8) {
  return api.useQuery(
    'get',
    '/analytics/clicks',
    { params: { query: { ...days, groupBy, limit } } },
    { refetchInterval: REFRESH_MS },
  );
}

/** Clicks of the previous day up to this time. The API's sums are hourly, so the current hour counts in proportion. */
export function beforeByNow({ series, comparison }: ClickAnalytics, now: number): number | undefined {
  if (!comparison) return undefined;
  const sum = comparison.series.reduce((total, { value }, index) => {
    const start = Date.parse(series[index]?.start ?? '');
    const share = Math.min(1, Math.max(0, (now - start) / HOUR_MS));
    return total + (Number.isNaN(share) ? 0 : share * value);
  }, 0);
  return Math.round(sum);
}
