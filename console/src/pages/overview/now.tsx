import { Grid, SimpleGrid, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Figure } from '../../kit/figure';
import { FileDetails, fileDetails } from '../../plots/file-details';
import { daysName } from '../../plots/names';
import { TimeSeries } from '../../plots/time-series';
import { writeFilters } from '../../plots/filters';
import type { Measure } from '../../plots/types';
import { WorldMap } from '../../plots/world-map';
import { useTexts } from '../../texts/texts';
import { Attention } from './attention';
import { FirstSteps } from './first-steps';
import { LiveClicks } from './live-clicks';
import { overviewTexts } from './texts';
import { TopGroups } from './top-groups';
import { beforeByNow, useFigures } from './use-figures';

/** Figures of today and of the last 30 days. */
export function Now() {
  const t = useTexts(overviewTexts);
  const navigate = useNavigate();
  const { timeZone, days, ...figures } = useFigures();
  const { today, todayVisitors, last30, last30Visitors, links, campaigns, countries } = figures;
  const measures = [last30, last30Visitors].flatMap(({ data }): Measure[] =>
    data ? [{ name: t(data.metric === 'visitors' ? 'visitors' : 'clicks'), points: data.series }] : [],
  );
  const statistics = (search: Record<string, string>) =>
    void navigate({ to: '/', search: { tab: 'statistics', ...search } });
  return (
    <FileDetails value={fileDetails({ from: days.startDate, to: days.endDate })}>
      <Stack gap="md">
        <FirstSteps clicked={(last30.data?.total ?? 1) > 0} />
        <SimpleGrid cols={{ base: 2, lg: 4 }}>
          <Figure
            label={t('today')}
            value={today.data?.total ?? '–'}
            before={today.data && beforeByNow(today.data, today.dataUpdatedAt)}
            beforeLabel={t('yesterdayByNow')}
          />
          <Figure
            label={t('todayVisitors')}
            value={todayVisitors.data?.total ?? '–'}
            before={todayVisitors.data && beforeByNow(todayVisitors.data, todayVisitors.dataUpdatedAt)}
            beforeLabel={t('yesterdayByNow')}
          />
          <Figure label={t('wholeYesterday')} value={today.data?.comparison?.total ?? '–'} />
          <Figure
            label={t('last30')}
            value={last30.data?.total ?? '–'}
            before={last30.data?.comparison?.total}
            beforeLabel={t('before30')}
          />
        </SimpleGrid>
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Stack gap="md">
              <TimeSeries
                title={t('days30')}
                subtitle={`${daysName({ from: days.startDate, to: days.endDate })} · ${timeZone}`}
                interval="day"
                timeZone={timeZone}
                measures={last30.data ? measures : []}
                state={last30}
                onRange={(from, to) => statistics({ range: 'custom', from, to })}
              />
              <SimpleGrid cols={{ base: 1, md: 2 }}>
                <TopGroups
                  title={t('topLinks')}
                  label={t('link')}
                  kind="link"
                  days={days}
                  state={links}
                  onPick={(id) => void navigate({ to: '/links/$id', params: { id } })}
                />
                <TopGroups
                  title={t('topCampaigns')}
                  label={t('campaign')}
                  kind="campaign"
                  days={days}
                  state={campaigns}
                  onPick={(id) => void navigate({ to: '/campaigns/$id', params: { id } })}
                />
              </SimpleGrid>
              <WorldMap
                title={t('countries')}
                subtitle={t('ofDays30')}
                measure={t('clicks')}
                countries={(countries.data?.groups ?? []).map(({ key, value }) => ({ code: key, value }))}
                state={countries}
                onPick={(code) => statistics({ filters: writeFilters({ country: [code] }) })}
              />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <Stack gap="md">
              <Attention />
              <LiveClicks />
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </FileDetails>
  );
}
