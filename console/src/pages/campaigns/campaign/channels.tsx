import { Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { api } from '../../../api/client';
import { Copy, CopyText } from '../../../kit/copy';
import { useConversionColumns } from '../../../kit/conversion-columns';
import { type Column, DataTable } from '../../../kit/data-table';
import { Empty } from '../../../kit/empty';
import { limited, tooLong } from '../../../kit/limited';
import { listOf } from '../../../kit/list-of';
import { Result } from '../../../kit/loading';
import { type Conversions, useConversions } from '../../../kit/use-conversions';
import { OTHER } from '../../../plots/filters';
import type { ClickAnalytics } from '../../../plots/types';
import { useAnalyticsView } from '../../../plots/use-analytics-view';
import { formatNumber, formatPercent } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { Card } from '../../link/card';
import { addressFor, type Campaign, shortAddress } from '../campaign';
import { RangeSelect } from './range-select';
import { campaignPageTexts } from './texts';

type Channel = ClickAnalytics['groups'][number];

/** Maximum number of channels in a response. */
const CHANNELS = 100;
const NONE = '(none)';

/** URLs for channels, with the clicks of each. */
export function Channels({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignPageTexts);
  const view = useAnalyticsView();
  const question = useMemo(
    () => ({
      startDate: view.days.from,
      endDate: view.days.to,
      campaign: [String(campaign.id)],
      groupBy: 'channel' as const,
    }),
    [view.days, campaign.id],
  );
  const channels = api.useQuery('get', '/analytics/clicks', {
    params: { query: { ...question, limit: CHANNELS } },
  });
  const conversions = useConversions(useMemo(() => [question], [question]));
  const columns = useChannelColumns(campaign, conversions);
  const list = useMemo(() => listOf(channels.data?.groups ?? []), [channels.data]);
  return (
    <Stack gap="md">
      <AddressBuilder campaign={campaign} />
      <RangeSelect view={view} />
      <Result of={channels}>
        {() => (
          <DataTable
            label={t('channels')}
            list={list}
            columns={columns}
            rowKey={({ key }) => key}
            empty={<Empty icon={IconRoute} title={t('noChannels')} text={t('noChannelsText')} />}
          />
        )}
      </Result>
    </Stack>
  );
}

const keyOf = ({ key }: Channel) => key;

function useChannelColumns(campaign: Campaign, conversions: Conversions): Column<Channel>[] {
  const t = useTexts(campaignPageTexts);
  const besideClicks = useConversionColumns(conversions, keyOf);
  return useMemo(
    () => [
      {
        key: 'channel',
        title: t('channel'),
        cell: ({ key }) => (
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {key === NONE ? t('withoutChannel') : key === OTHER ? t('otherChannels') : key}
          </Text>
        ),
      },
      {
        key: 'address',
        title: t('address'),
        from: 'md',
        cell: ({ key }) =>
          key !== OTHER && <Address of={addressFor(campaign, key === NONE ? '' : key, '')} />,
      },
      {
        key: 'clicks',
        title: t('clicks'),
        align: 'right',
        width: 110,
        cell: ({ value }) => (
          <Text size="sm" className="numbers">
            {formatNumber(value)}
          </Text>
        ),
      },
      ...besideClicks,
      {
        key: 'share',
        title: t('share'),
        width: 170,
        from: 'sm',
        cell: ({ percentage }) => (
          <Group gap="xs" wrap="nowrap">
            <Progress value={percentage} flex={1} aria-label={t('share')} />
            <Text size="sm" className="numbers" w={52} ta="right">
              {formatPercent(percentage / 100)}
            </Text>
          </Group>
        ),
      },
    ],
    [t, campaign, besideClicks],
  );
}

/** A URL in one line, with a button that copies it. */
export function Address({ of }: { of: string }) {
  const shown = shortAddress(of);
  return (
    <Group gap={2} wrap="nowrap" maw={420}>
      <Text size="xs" truncate title={shown}>
        {shown}
      </Text>
      <Copy value={of} name={shown} />
    </Group>
  );
}

const MAX = 100;

/** Builds the URL for a channel and a customer. */
function AddressBuilder({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignPageTexts);
  const [channel, setChannel] = useState('');
  const [customer, setCustomer] = useState('');
  const fits = [channel, customer].every((text) => tooLong(text, MAX) === null);
  return (
    <Card title={t('builder')}>
      <Text size="sm" c="dimmed">
        {t('builderText')}
      </Text>
      <Group gap="sm" align="flex-start" grow preventGrowOverflow={false} maw={720}>
        <TextInput
          label={t('channel')}
          placeholder={t('channelExample')}
          {...limited(MAX, { value: channel })}
          onChange={(event) => setChannel(event.currentTarget.value)}
        />
        <TextInput
          label={t('customer')}
          placeholder={t('customerExample')}
          {...limited(MAX, { value: customer })}
          onChange={(event) => setCustomer(event.currentTarget.value)}
        />
      </Group>
      {fits && (
        <CopyText label={t('address')} value={addressFor(campaign, channel.trim(), customer.trim())} />
      )}
    </Card>
  );
}
