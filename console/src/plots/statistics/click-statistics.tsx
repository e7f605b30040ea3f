import { Alert, Group, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { useCallback, useState } from 'react';
import { isPassing } from '../../api/errors';
import { Figure } from '../../kit/figure';
import { Fresh } from '../../kit/fresh';
import { errorText } from '../../kit/toasts';
import { useView } from '../../kit/view';
import { useTexts } from '../../texts/texts';
import { FileDetails, fileDetails } from '../file-details';
import { entriesOf, keyOf } from '../filters';
import { daysName } from '../names';
import { RangePicker } from '../range-picker';
import { TimeSeries } from '../time-series';
import type { Dimension, Measure, Metric } from '../types';
import { useAnalyticsView } from '../use-analytics-view';
import { AddFilter } from './add-filter';
import { BreakdownCard } from './breakdown-card';
import { type Scope, useClicks } from './click-query';
import { FilterChips } from './filter-chips';
import { HoursCard } from './hours-card';
import { MapCard } from './map-card';
import { statisticsTexts } from './texts';

const METRIC = { metric: 'clicks' };
const METRICS: readonly Metric[] = ['clicks', 'visitors', 'bots'];

interface Props {
  /** One link, one campaign, or the whole organization: `{}`. */
  scope: Scope;
}

/** Statistics of clicks: over time, by dimension, on the map, by hour. Each part filters all others. */
export function ClickStatistics({ scope }: Props) {
  const t = useTexts(statisticsTexts);
  const view = useAnalyticsView();
  const [{ metric: wanted }, setMetric] = useView(METRIC);
  const metric = METRICS.find((each) => each === wanted) ?? 'clicks';
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const onGroups = useCallback(
    (dimension: Dimension, groups: readonly { key: string; name: string }[]) =>
      setNames(
        (before) =>
          new Map([...before, ...groups.map(({ key, name }) => [`${dimension} ${key}`, name] as const)]),
      ),
    [],
  );
  const clicks = useClicks({ view, scope, metric: 'clicks' });
  const visitors = useClicks({ view, scope, metric: 'visitors' });
  const bots = useClicks({ view, scope, metric: 'bots', enabled: metric === 'bots' });
  const shown = metric === 'bots' ? [bots] : [clicks, visitors];
  const main = metric === 'bots' ? bots : clicks;
  const measures = shown.flatMap(({ data, isPlaceholderData }): Measure[] =>
    data && isPlaceholderData === main.isPlaceholderData
      ? [{ name: t(data.metric), points: data.series, compared: data.comparison?.series }]
      : [],
  );
  const cards = { view, scope, metric, onGroups };
  const own = scope.link ?? scope.campaign;
  const filters = entriesOf(view.filters).map(([dimension, value]) => {
    const excluded = value.startsWith('!');
    const key = keyOf(excluded ? value.slice(1) : value);
    return `${dimension}${excluded ? ' not ' : '='}${names.get(`${dimension} ${key}`) ?? key}`;
  });
  return (
    <FileDetails value={fileDetails(view.days, filters)}>
      <Stack gap="md">
        <Group justify="space-between">
          <SegmentedControl
            aria-label={t('metric')}
            data={METRICS.map((each) => ({ value: each, label: t(each) }))}
            value={metric}
            onChange={(each) => setMetric({ metric: each })}
          />
          <RangePicker view={view} />
        </Group>
        <Group gap="xs">
          <AddFilter {...cards} />
          <FilterChips view={view} names={names} />
        </Group>
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          {shown.map(
            ({ data, isPlaceholderData }) =>
              data && (
                <Fresh key={data.metric} stale={isPlaceholderData}>
                  <Figure
                    label={t(data.metric)}
                    value={data.total}
                    before={data.comparison?.total}
                    beforeLabel={t('before')}
                  />
                </Fresh>
              ),
          )}
        </SimpleGrid>
        {metric !== 'bots' && visitors.error && !isPassing(visitors.error) && (
          <Alert color="yellow">{t('visitorsMissing', { reason: errorText(visitors.error) })}</Alert>
        )}
        <TimeSeries
          title={t('overTime')}
          subtitle={daysName(view.days)}
          interval={main.data?.interval ?? view.interval}
          timeZone={view.timeZone}
          measures={main.data ? measures : []}
          state={main}
          onRange={view.show}
        />
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <MapCard {...cards} />
          {/* The same number as the map, so that both share a call. */}
          <BreakdownCard title={t('places')} dimensions={['country', 'region', 'city']} whole {...cards} />
          <BreakdownCard title={t('sources')} dimensions={['referrer', 'channel']} {...cards} />
          <BreakdownCard title={t('technology')} dimensions={['device', 'os', 'browser']} {...cards} />
          <BreakdownCard
            title={t('resources')}
            dimensions={own === undefined ? ['link', 'campaign', 'tag', 'domain', 'app'] : ['variant', 'app']}
            {...cards}
          />
          <BreakdownCard
            title={t('campaignTags')}
            dimensions={['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent']}
            {...cards}
          />
          {metric === 'bots' && <BreakdownCard title={t('bots')} dimensions={['bot']} {...cards} />}
        </SimpleGrid>
        <HoursCard view={view} scope={scope} metric={metric} />
      </Stack>
    </FileDetails>
  );
}
