import { useMemo } from 'react';
import { useTexts } from '../../texts/texts';
import { HourHeatmap } from '../hour-heatmap';
import { hoursOfWeek } from '../hours-of-week';
import { daysName } from '../names';
import { type Days, lengthOf, MAX_HOURLY_DAYS, plusDays } from '../range';
import type { Metric } from '../types';
import type { AnalyticsView } from '../use-analytics-view';
import { type Scope, useClicks } from './click-query';
import { statisticsTexts } from './texts';

interface Props {
  view: AnalyticsView;
  scope: Scope;
  metric: Metric;
}

/** Clicks by hour of the week in the organization's time zone, over at most the last 31 days of the range. */
export function HoursCard({ view, scope, metric }: Props) {
  const t = useTexts(statisticsTexts);
  const days = lastOf(view.days);
  const query = useClicks({
    view,
    scope,
    metric,
    compare: false,
    change: { startDate: days.from, endDate: days.to, interval: 'hour' },
  });
  const series = query.data?.series;
  const hours = useMemo(() => hoursOfWeek(series ?? [], view.timeZone), [series, view.timeZone]);
  return (
    <HourHeatmap
      title={t('hours')}
      subtitle={daysName(days)}
      hours={hours}
      measure={t(metric)}
      state={query}
    />
  );
}

function lastOf(days: Days): Days {
  const length = Math.min(lengthOf(days), MAX_HOURLY_DAYS);
  return { from: plusDays(days.to, 1 - length), to: days.to };
}
