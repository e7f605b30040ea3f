import { Group, SimpleGrid, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { api, type Schemas } from '../../../api/client';
import { CopyText } from '../../../kit/copy';
import { Figure } from '../../../kit/figure';
import { Loading, Result } from '../../../kit/loading';
import { Panel } from '../../../kit/panel';
import { BreakdownBars } from '../../../plots/breakdown-bars';
import { FileDetails, fileDetails } from '../../../plots/file-details';
import { deviceName } from '../../../plots/names';
import type { Days } from '../../../plots/range';
import { countryName, formatDateTime } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { addressFor, type Campaign } from '../campaign';
import { campaignPageTexts } from './texts';

const TimeSeries = lazy(async () => ({ default: (await import('../../../plots/time-series')).TimeSeries }));

interface Props {
  campaign: Campaign;
  days: Days;
  /** The customer; null while the panel is closed. */
  customId: string | null;
  onClose: () => void;
}

export function CustomerPanel({ campaign, days, customId, onClose }: Props) {
  return (
    <Panel opened={customId !== null} title={customId ?? ''} onClose={onClose} size="xl">
      {customId !== null && (
        <FileDetails value={fileDetails(days, [`customer=${customId}`])}>
          <Figures campaign={campaign} days={days} customId={customId} />
        </FileDetails>
      )}
    </Panel>
  );
}

function Figures({ campaign, days, customId }: Omit<Props, 'onClose'> & { customId: string }) {
  const t = useTexts(campaignPageTexts);
  const query = { startDate: days.from, endDate: days.to, customId };
  const statistics = api.useQuery('get', '/campaigns/{id}/stats', {
    params: { path: { id: campaign.id }, query },
  });
  return (
    <Stack gap="md">
      <CopyText label={t('address')} value={addressFor(campaign, '', customId)} />
      <Result of={statistics}>
        {({ totalClicks, userClicks, dailyClicks, topTrackers, deviceTypeStats, ...top }) => (
          <>
            <SimpleGrid cols={2}>
              <Figure label={t('clicks')} value={totalClicks} />
              <Figure label={t('lastClick')} value={formatDateTime(userClicks[0]?.lastClickedAt)} />
            </SimpleGrid>
            <Suspense fallback={<Loading />}>
              <TimeSeries
                title={t('clicks')}
                subtitle={t('daysUtc')}
                interval="day"
                timeZone="UTC"
                height={180}
                measures={[
                  {
                    name: t('clicks'),
                    points: dailyClicks.map(({ date, clicks }) => ({ start: date, value: clicks })),
                  },
                ]}
              />
            </Suspense>
            <Group grow align="flex-start" gap="md" preventGrowOverflow={false}>
              <Top title={t('channels')} items={topTrackers} />
              <Top
                title={t('devices')}
                items={deviceTypeStats.map(({ name, ...rest }) => ({ ...rest, name: deviceName(name) }))}
              />
              <Top
                title={t('countries')}
                items={top.topCountries.map(({ code, name, ...rest }) => ({
                  ...rest,
                  name: code === null ? name : countryName(code),
                }))}
              />
              {top.topRegions.length > 0 && <Top title={t('regions')} items={top.topRegions} />}
              {top.topCities.length > 0 && <Top title={t('cities')} items={top.topCities} />}
            </Group>
          </>
        )}
      </Result>
    </Stack>
  );
}

function Top({ title, items }: { title: string; items: readonly Schemas['TopItem'][] }) {
  return (
    <BreakdownBars
      title={title}
      label={title}
      bars={items.map(({ name, count, percentage }) => ({
        key: name,
        name,
        value: count,
        share: percentage / 100,
      }))}
    />
  );
}
