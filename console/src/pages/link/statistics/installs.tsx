import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api, type Schemas } from '../../../api/client';
import { Figure } from '../../../kit/figure';
import { Result } from '../../../kit/loading';
import { BreakdownBars } from '../../../plots/breakdown-bars';
import { FunnelBars } from '../../../plots/funnel-bars';
import { FileDetails, fileDetails } from '../../../plots/file-details';
import type { Days } from '../../../plots/range';
import { TimeSeries } from '../../../plots/time-series';
import { countryName, formatPercent } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import type { Link } from '../../links/link';
import { linkPageTexts } from '../texts';

type Installations = Schemas['InstallStatisticsResponse'];

const STAGES = [
  'CLICKED',
  'STORE_VISITED',
  'APP_INSTALLED',
  'APP_OPENED',
  'DEEP_LINK_RESOLVED',
  'CONTENT_VIEWED',
  'ACTION_TAKEN',
  'GOAL_COMPLETED',
] as const;

interface Props {
  link: Link;
  days: Days;
}

/** Install figures of a link that leads to an app. */
export function Installs({ link, days }: Props) {
  const t = useTexts(linkPageTexts);
  const params = { path: { id: link.id }, query: { startDate: days.from, endDate: days.to } };
  const installs = api.useQuery(
    'get',
    '/urls/{id}/app-install-stats',
    { params },
    { placeholderData: keepPreviousData },
  );
  return (
    <Result of={installs}>
      {(data) =>
        link.iosAppId !== null ||
        link.androidAppId !== null ||
        data.totalInstalls > 0 ||
        data.funnelStats.totalSessions > 0 ? (
          <FileDetails value={fileDetails(days)}>
            <InstallFigures data={data} timeZone="UTC" note={t('daysUtc')} />
          </FileDetails>
        ) : null
      }
    </Result>
  );
}

/** Installs, returning users and funnel of a link or campaign. */
export function InstallFigures({
  data,
  timeZone,
  note,
}: {
  data: Installations;
  timeZone: string;
  note?: string;
}) {
  const t = useTexts(linkPageTexts);
  const { totalInstalls, dailyInstalls, conversionRate, reengagementStats, qualityStats, funnelStats } = data;
  const points = (key: 'iosInstalls' | 'androidInstalls') =>
    dailyInstalls.map((day) => ({ start: day.date, value: day[key] }));
  return (
    <Stack gap="md">
      <div>
        <Title order={2} size="h4">
          {t('app')}
        </Title>
        {note !== undefined && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </div>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure label={t('installs')} value={totalInstalls} />
        <Figure label={t('installRate')} value={formatPercent(conversionRate / 100)} />
        <Figure label={t('reengagements')} value={reengagementStats.successfulReengagements} />
        <Figure label={t('resolved')} value={formatPercent(qualityStats.successRate / 100)} />
      </SimpleGrid>
      <TimeSeries
        title={t('installsOverTime')}
        interval="day"
        timeZone={timeZone}
        measures={[
          { name: 'iOS', points: points('iosInstalls') },
          { name: 'Android', points: points('androidInstalls') },
        ]}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <FunnelBars
          title={t('funnel')}
          subtitle={t('funnelText')}
          stages={funnelStats.stages.map(({ stageCode, stageName, sessionsReached }) => {
            const known = STAGES.find((stage) => stage === stageCode);
            return { name: known ? t(known) : stageName, count: sessionsReached };
          })}
        />
        <BreakdownBars
          title={t('installCountries')}
          label={t('country')}
          bars={data.countryStats.map(({ code, installs, percentage }) => ({
            key: code ?? '',
            name: code === null ? t('unknownCountry') : countryName(code),
            value: installs,
            share: percentage / 100,
            fixed: true,
          }))}
        />
      </SimpleGrid>
    </Stack>
  );
}
