import { Group, Select, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api, type Schemas } from '../../../api/client';
import { getOrganizationCampaignInstallStatistics_platform } from '../../../api/values.gen';
import { Result } from '../../../kit/loading';
import { useView } from '../../../kit/view';
import { FileDetails, fileDetails } from '../../../plots/file-details';
import { useAnalyticsView } from '../../../plots/use-analytics-view';
import { common } from '../../../texts/common';
import { countryName, formatDateTime } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { Card } from '../../link/card';
import { InstallFigures } from '../../link/statistics/installs';
import type { Campaign } from '../campaign';
import { RangeSelect } from './range-select';
import { campaignPageTexts } from './texts';

const VIEW = { platform: 'All' };
const PLATFORMS = getOrganizationCampaignInstallStatistics_platform;

/** Installs, returns to the app and the funnel of a campaign. */
export function Installs({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignPageTexts);
  const c = useTexts(common);
  const view = useAnalyticsView();
  const [chosen, change] = useView(VIEW);
  const platform = PLATFORMS.find((each) => each === chosen.platform) ?? 'All';
  const { days, timeZone } = view;
  const query = { startDate: days.from, endDate: days.to, platform, timeZone };
  const installs = api.useQuery(
    'get',
    '/campaigns/{id}/app-install-stats',
    { params: { path: { id: campaign.id }, query } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Stack gap="md">
      <Group gap="xs">
        <RangeSelect view={view} />
        <Select
          aria-label={t('platform')}
          w={140}
          allowDeselect={false}
          data={PLATFORMS.map((value) => ({ value, label: value === 'All' ? c('all') : value }))}
          value={platform}
          onChange={(value) => change({ platform: value ?? 'All' })}
        />
      </Group>
      <Result of={installs}>
        {(data) => (
          <FileDetails value={fileDetails(days, platform === 'All' ? [] : [`platform=${platform}`])}>
            <InstallFigures data={data} timeZone={timeZone} />
            <Recent installs={data.recentInstalls} />
          </FileDetails>
        )}
      </Result>
    </Stack>
  );
}

function Recent({ installs }: { installs: readonly Schemas['RecentInstall'][] }) {
  const t = useTexts(campaignPageTexts);
  if (installs.length === 0) return null;
  return (
    <Card title={t('recentInstalls')}>
      <Table.ScrollContainer minWidth={480} scrollAreaProps={{ tabIndex: 0 }}>
        <Table aria-label={t('recentInstalls')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('time')}</Table.Th>
              <Table.Th>{t('platform')}</Table.Th>
              <Table.Th>{t('device')}</Table.Th>
              <Table.Th>{t('country')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {installs.map(({ installedAt, platform, country, osVersion, deviceModel }, index) => (
              <Table.Tr key={index}>
                <Table.Td>{formatDateTime(installedAt)}</Table.Td>
                <Table.Td>{[platform, osVersion].filter(Boolean).join(' ')}</Table.Td>
                <Table.Td>
                  <Text size="sm">{deviceModel ?? '–'}</Text>
                </Table.Td>
                <Table.Td>{country === null ? '–' : countryName(country)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
