import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Figure } from '../../kit/figure';
import { daysName } from '../../plots/names';
import { lengthOf, mondayOf } from '../../plots/range';
import { TimeSeries } from '../../plots/time-series';
import { useTexts } from '../../texts/texts';
import { everyPeriod } from './series';
import { Shown } from './shown';
import { journeyTexts } from './texts';
import type { JourneysView } from './use-journeys-view';

const PERIODS = ['day', 'week'] as const;
type Period = (typeof PERIODS)[number];
/** Maximum number of weeks that the API returns, up to the current one. */
const MAX_WEEKS = 53;

/** People who clicked, each counted once per day or week. */
export function Visitors({ view }: { view: JourneysView }) {
  const [period, setPeriod] = useState<Period>('day');
  const t = useTexts(journeyTexts);
  const { appId, days, range } = view;
  const app = appId === null ? {} : { appId };
  const options = { placeholderData: keepPreviousData };
  const daily = api.useQuery('get', '/analytics/dau', { params: { query: { ...days, ...app } } }, options);
  const first = mondayOf(range.days.from);
  const weeks = Math.min(Math.ceil(lengthOf({ from: first, to: range.today }) / 7), MAX_WEEKS);
  const weekly = api.useQuery(
    'get',
    '/analytics/wau',
    { params: { query: { weeks: Math.max(weeks, 1), ...app } } },
    { ...options, enabled: period === 'week' },
  );
  return (
    <Shown part={t('visitors')} of={daily}>
      {({ daily: known, summary, startDate, endDate, timeZone }) => {
        const byWeek = weekly.data;
        const points =
          period === 'day'
            ? everyPeriod(
                known.map(({ date, uniqueVisitors }) => ({ start: date, value: uniqueVisitors })),
                startDate,
                endDate,
                1,
              )
            : everyPeriod(
                (byWeek?.weekly ?? []).map(({ weekStartDate, uniqueVisitors }) => ({
                  start: weekStartDate,
                  value: uniqueVisitors,
                })),
                [first, byWeek?.since ?? first].sort().at(-1) ?? first,
                endDate,
                7,
              );
        return (
          <Stack gap="md">
            <SimpleGrid cols={{ base: 2, md: 4 }}>
              <Figure label={t('averageVisitors')} value={Math.round(summary.avgUniqueVisitors)} />
              <Figure label={t('mostVisitors')} value={summary.maxUniqueVisitors} />
              <Figure label={t('clicks')} value={summary.totalClicks} />
              <Figure label={t('daysWithClicks')} value={summary.daysWithData} />
            </SimpleGrid>
            <TimeSeries
              title={t(period === 'day' ? 'visitorsByDay' : 'visitorsByWeek')}
              subtitle={daysName({ from: startDate, to: endDate })}
              actions={
                <SegmentedControl
                  size="xs"
                  aria-label={t('period')}
                  data={PERIODS.map((each) => ({ value: each, label: t(each) }))}
                  value={period}
                  onChange={setPeriod}
                />
              }
              interval={period}
              timeZone={timeZone}
              measures={[{ name: t('visitors'), points }]}
              state={period === 'day' ? daily : weekly}
              onRange={range.show}
            />
          </Stack>
        );
      }}
    </Shown>
  );
}
