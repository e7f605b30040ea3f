import { useMemo } from 'react';
import { useTexts } from '../../texts/texts';
import type { Metric } from '../types';
import type { AnalyticsView } from '../use-analytics-view';
import { WorldMap } from '../world-map';
import { MOST_GROUPS, type Scope, useClicks } from './click-query';
import { statisticsTexts } from './texts';

interface Props {
  view: AnalyticsView;
  scope: Scope;
  metric: Metric;
}

export function MapCard({ view, scope, metric }: Props) {
  const t = useTexts(statisticsTexts);
  const query = useClicks({ view, scope, metric, groupBy: 'country', limit: MOST_GROUPS });
  const groups = query.data?.groups;
  const countries = useMemo(() => (groups ?? []).map(({ key, value }) => ({ code: key, value })), [groups]);
  const given = view.filters.country;
  const active = useMemo(() => new Set(given), [given]);
  return (
    <WorldMap
      title={t('map')}
      measure={t(metric)}
      countries={countries}
      state={query}
      active={active}
      onPick={(code) => view.toggle('country', code)}
    />
  );
}
