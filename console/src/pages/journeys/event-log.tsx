import { SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { Figure } from '../../kit/figure';
import { BreakdownBars } from '../../plots/breakdown-bars';
import { daysName } from '../../plots/names';
import { TimeSeries } from '../../plots/time-series';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { mondayOf } from '../../plots/range';
import { Shown } from './shown';
import { journeyTexts } from './texts';
import type { JourneysView } from './use-journeys-view';

const FEW = 10;
const MANY = 50;

export function EventLog({ view }: { view: JourneysView }) {
  const t = useTexts(journeyTexts);
  const [limit, setLimit] = useState(FEW);
  const { appId, days, range } = view;
  const log = api.useQuery(
    'get',
    '/analytics/events',
    { params: { query: { ...days, topLimit: limit, ...(appId !== null && { appId }) } } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Shown part={t('events')} of={log}>
      {({ summary, trend, trendGranularity, topEvents, startDate, endDate, timeZone }) => {
        const pointsOf = (valueOf: (item: Schemas['EventTrendItem']) => number) =>
          trend.map((item) => ({ start: startOf(item), value: valueOf(item) }));
        return (
          <Stack gap="md">
            <SimpleGrid cols={{ base: 2, md: 4 }}>
              <Figure label={t('events')} value={summary.totalEvents} />
              <Figure label={t('sessionsWithEvents')} value={summary.uniqueSessions} />
              <Figure label={t('eventTypes')} value={summary.uniqueEventNames} />
              <Figure label={t('eventsPerSession')} value={summary.avgEventsPerSession} />
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <TimeSeries
                title={t(trendGranularity === 'week' ? 'eventsByWeek' : 'eventsByDay')}
                subtitle={`${daysName({ from: startDate, to: endDate })}. ${t('eventsHint')}`}
                interval={trendGranularity === 'week' ? 'week' : 'day'}
                timeZone={timeZone}
                measures={[
                  { name: t('events'), points: pointsOf(({ totalCount }) => totalCount) },
                  { name: t('sessions'), points: pointsOf(({ uniqueSessions }) => uniqueSessions) },
                ]}
                onRange={range.show}
              />
              <BreakdownBars
                title={t('topEvents')}
                label={t('event')}
                bars={topEvents.map(({ eventName, count, uniqueSessions }) => ({
                  key: eventName,
                  name: eventName,
                  detail: t('inSessions', { count: uniqueSessions, formatted: formatNumber(uniqueSessions) }),
                  value: count,
                  share: summary.totalEvents > 0 ? count / summary.totalEvents : 0,
                }))}
                onMore={limit === FEW && summary.uniqueEventNames > FEW ? () => setLimit(MANY) : undefined}
                onLess={limit === MANY ? () => setLimit(FEW) : undefined}
              />
            </SimpleGrid>
          </Stack>
        );
      }}
    </Shown>
  );
}

/** Start of a period; the first week only includes days in the range, but is named after its Monday. */
function startOf({ date, weekStartDate }: Schemas['EventTrendItem']): string {
  return date ?? mondayOf(weekStartDate ?? '');
}
