import { SegmentedControl, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api, type Schemas } from '../../api/client';
import { Empty } from '../../kit/empty';
import { Figure } from '../../kit/figure';
import { Result } from '../../kit/loading';
import { useView } from '../../kit/view';
import { BreakdownBars } from '../../plots/breakdown-bars';
import { FileDetails, fileDetails } from '../../plots/file-details';
import { FunnelBars } from '../../plots/funnel-bars';
import { TimeSeries } from '../../plots/time-series';
import { common } from '../../texts/common';
import { countryName, formatDateTime, formatPercent } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { stageName } from '../journeys/stages';
import { journeyTexts } from '../journeys/texts';
import { appTexts } from './texts';

type Statistics = Schemas['InstallStatisticsResponse'];

const VIEW = { days: '30' };
const RANGES = ['7', '30', '90'];
const DAY_MS = 86_400_000;

/** Install figures of the app, compared with the range before. */
export function Installs({ id }: { id: number }) {
  const t = useTexts(appTexts);
  const [{ days }, change] = useView(VIEW);
  const length = RANGES.includes(days) ? Number(days) : 30;
  const shown = range(length, 0);
  const now = api.useQuery('get', '/mobile-apps/{id}/install-stats', {
    params: { path: { id }, query: shown },
  });
  const before = api.useQuery('get', '/mobile-apps/{id}/install-stats', {
    params: { path: { id }, query: range(length, length) },
  });
  return (
    <Stack>
      <SegmentedControl
        aria-label={t('days')}
        value={String(length)}
        onChange={(value) => change({ days: value })}
        data={RANGES.map((value) => ({ value, label: t('lastDays', { count: Number(value) }) }))}
        w={{ base: '100%', sm: 'fit-content' }}
      />
      <Text size="xs" c="dimmed">
        {t('daysUtc')}
      </Text>
      <Result of={now}>
        {(statistics) => (
          <FileDetails value={fileDetails({ from: shown.startDate, to: shown.endDate })}>
            <Figures now={statistics} before={before.data} />
            {statistics.totalInstalls === 0 ? (
              <Empty icon={IconDownload} title={t('noInstalls')} text={t('noInstallsText')} />
            ) : (
              <Details of={statistics} />
            )}
            {statistics.funnelStats.totalSessions > 0 && <Funnel of={statistics} />}
          </FileDetails>
        )}
      </Result>
    </Stack>
  );
}

/** A range of UTC days. @param back days between its end and today */
function range(length: number, back: number): { startDate: string; endDate: string } {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  return { startDate: day(back + length - 1), endDate: day(back) };
}

function Figures({ now, before }: { now: Statistics; before: Statistics | undefined }) {
  const t = useTexts(appTexts);
  const beforeLabel = t('beforeThat');
  const percent = (value: number) => formatPercent(value / 100);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
      <Figure
        label={t('installs')}
        value={now.totalInstalls}
        before={before?.totalInstalls}
        beforeLabel={beforeLabel}
      />
      <Figure
        label={t('clicks')}
        value={now.totalClicks}
        before={before?.totalClicks}
        beforeLabel={beforeLabel}
      />
      <Figure label={t('conversion')} value={percent(now.conversionRate)} />
      <Figure
        label={t('reengagements')}
        value={now.reengagementStats.totalReengagements}
        before={before?.reengagementStats.totalReengagements}
        beforeLabel={beforeLabel}
      />
      <Figure label={t('reengaged')} value={percent(now.reengagementStats.successRate)} />
      <Figure label={t('resolved')} value={percent(now.qualityStats.successRate)} />
    </SimpleGrid>
  );
}

function Funnel({ of: { funnelStats } }: { of: Statistics }) {
  const t = useTexts(appTexts);
  const stage = useTexts(journeyTexts);
  return (
    <FunnelBars
      title={t('funnel')}
      stages={funnelStats.stages.map(({ stageCode, stageName: shown, sessionsReached }) => ({
        name: stageName(stageCode, shown, stage),
        count: sessionsReached,
      }))}
    />
  );
}

function Details({ of: { dailyInstalls, countryStats, recentInstalls, qualityStats } }: { of: Statistics }) {
  const t = useTexts(appTexts);
  const c = useTexts(common);
  const country = (code: string | null) => (code === null ? c('unknown') : countryName(code));
  const { failureReasons } = qualityStats;
  const points = (key: 'iosInstalls' | 'androidInstalls') =>
    dailyInstalls.map((day) => ({ start: day.date, value: day[key] }));
  return (
    <>
      <TimeSeries
        title={t('overTime')}
        interval="day"
        timeZone="UTC"
        measures={[
          { name: 'iOS', points: points('iosInstalls') },
          { name: 'Android', points: points('androidInstalls') },
        ]}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Block title={t('recent')}>
          <Simple
            head={[t('when'), t('country'), t('device')]}
            rows={recentInstalls.map(({ installedAt, country: code, platform, osVersion, deviceModel }) => [
              formatDateTime(installedAt),
              country(code),
              deviceModel ?? [platform, osVersion].filter(Boolean).join(' '),
            ])}
          />
        </Block>
        <Stack>
          <BreakdownBars
            title={t('countries')}
            label={t('country')}
            bars={countryStats.map(({ code, installs, percentage }) => ({
              key: code ?? '',
              name: country(code),
              value: installs,
              share: percentage / 100,
              fixed: true,
            }))}
          />
          {failureReasons.length > 0 && (
            <Block title={t('failures')}>
              <Simple
                head={[t('failures'), t('share')]}
                rows={failureReasons.map(({ reason, percentage }) => [
                  reason,
                  formatPercent(percentage / 100),
                ])}
              />
            </Block>
          )}
        </Stack>
      </SimpleGrid>
    </>
  );
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {children}
    </div>
  );
}

function Simple({ head, rows }: { head: string[]; rows: string[][] }) {
  return (
    <Table
      data={{
        head,
        body: rows.map((row) =>
          row.map((text, at) => (
            <Text key={at} size="sm" className="numbers">
              {text}
            </Text>
          )),
        ),
      }}
    />
  );
}
