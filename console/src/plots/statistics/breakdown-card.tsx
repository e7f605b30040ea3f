import { Select } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTexts } from '../../texts/texts';
import { BreakdownBars } from '../breakdown-bars';
import { keyOf, literalOf, OTHER } from '../filters';
import { valueName } from '../names';
import { plotTexts } from '../texts';
import type { Bar, ClickAnalytics, Dimension, Metric } from '../types';
import type { AnalyticsView } from '../use-analytics-view';
import { MOST_GROUPS, type Scope, useClicks, useConversionsBy } from './click-query';
import { statisticsTexts } from './texts';

const FEW = 8;

interface Props {
  title: string;
  dimensions: readonly [Dimension, ...Dimension[]];
  /** Whether all values are listed at first. */
  whole?: boolean;
  view: AnalyticsView;
  scope: Scope;
  metric: Metric;
  /** Called with the groups shown, whose names the filters use. */
  onGroups: (dimension: Dimension, groups: ClickAnalytics['groups']) => void;
}

/** Clicks by the values of a dimension, which can be changed to related ones. */
export function BreakdownCard({ title, dimensions, whole = false, view, scope, metric, onGroups }: Props) {
  const t = useTexts(statisticsTexts);
  const p = useTexts(plotTexts);
  const [chosen, setChosen] = useState<Dimension>(dimensions[0]);
  const [all, showAll] = useState(whole);
  const dimension = dimensions.includes(chosen) ? chosen : dimensions[0];
  const query = useClicks({ view, scope, metric, groupBy: dimension, limit: all ? MOST_GROUPS : FEW });
  // While loading, data of the previous dimension are kept, which must not be shown as values of this one.
  const data = query.data?.groupBy === dimension ? query.data : undefined;
  const conversions = useConversionsBy(
    { view, scope, metric, groupBy: dimension },
    (data?.groups ?? []).flatMap(({ id }) => id ?? []),
  );
  useEffect(() => {
    if (data) onGroups(dimension, data.groups);
  }, [data, dimension, onGroups]);
  const bars = (data?.groups ?? []).map((group, index): Bar => {
    const { key, name, address, value } = group;
    return {
      key,
      name: valueName(dimension, key, name, p),
      detail: address === null ? undefined : address.replace(/^https?:\/\//, ''),
      value,
      share: data && data.total > 0 ? value / data.total : 0,
      change: data?.comparison ? (data.comparison.groups[index]?.change ?? null) : undefined,
      fixed: key === OTHER,
    };
  });
  return (
    <BreakdownBars
      title={title}
      label={t(dimension)}
      state={{ ...query, data }}
      bars={bars}
      conversions={conversions}
      active={new Set((view.filters[dimension] ?? []).map(keyOf))}
      onPick={(key) => view.toggle(dimension, literalOf(key))}
      onMore={!all && bars.some(({ fixed }) => fixed) ? () => showAll(true) : undefined}
      onLess={all && !whole ? () => showAll(false) : undefined}
      {...(dimensions.length > 1 && {
        actions: (
          <Select
            aria-label={`${title}: ${t('dimension')}`}
            size="xs"
            w={140}
            allowDeselect={false}
            data={dimensions.map((each) => ({ value: each, label: t(each) }))}
            value={dimension}
            onChange={(value) => {
              if (value) setChosen(value);
              showAll(whole);
            }}
          />
        ),
      })}
    />
  );
}
