import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, type Schemas } from '../../../api/client';
import { type Column, DataTable } from '../../../kit/data-table';
import { Empty } from '../../../kit/empty';
import { listOf } from '../../../kit/list-of';
import { Result } from '../../../kit/loading';
import { SearchField } from '../../../kit/search-field';
import { useView } from '../../../kit/view';
import { useAnalyticsView } from '../../../plots/use-analytics-view';
import { formatAgo, formatDateTime, formatNumber } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { addressFor, type Campaign } from '../campaign';
import { Address } from './channels';
import { CustomerPanel } from './customer-panel';
import { RangeSelect } from './range-select';
import { campaignPageTexts } from './texts';

type Customer = Schemas['UserClicksResponse'];

const VIEW = { customer: '', order: 'clicks' };
const ORDERS = ['clicks', 'last'] as const;
/** Maximum number of customers in a response; others are found by their complete id. */
const CUSTOMERS = 1_000;

/** Customers by the `cid` in their URL, with their clicks. */
export function Customers({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignPageTexts);
  const analytics = useAnalyticsView();
  const [{ customer: search, order }, change] = useView(VIEW);
  const [shown, setShown] = useState<string | null>(null);
  const { days } = analytics;
  const params = {
    path: { id: campaign.id },
    query: { startDate: days.from, endDate: days.to },
  };
  const all = api.useQuery('get', '/campaigns/{id}/stats', { params }, { placeholderData: keepPreviousData });
  const customers = useMemo(
    () =>
      (all.data?.userClicks ?? [])
        .filter(({ customId }) => customId.toLowerCase().includes(search.toLowerCase()))
        .sort((one, other) =>
          order === 'last' ? Date.parse(other.lastClickedAt) - Date.parse(one.lastClickedAt) : 0,
        ),
    [all.data, search, order],
  );
  const capped = (all.data?.userClicks.length ?? 0) >= CUSTOMERS;
  const exact = api.useQuery(
    'get',
    '/campaigns/{id}/stats',
    { params: { ...params, query: { ...params.query, customId: search } } },
    { enabled: capped && search !== '' && customers.length === 0 },
  );
  const found = exact.data?.userClicks;
  const list = useMemo(() => listOf(customers.length > 0 ? customers : (found ?? [])), [customers, found]);
  const columns = useCustomerColumns(campaign, setShown);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Group gap="xs">
          <SearchField
            label={t('searchCustomers')}
            value={search}
            onChange={(customer, step) => change({ customer }, step)}
          />
          <SegmentedControl
            aria-label={t('order')}
            data={ORDERS.map((value) => ({ value, label: t(`by_${value}`) }))}
            value={order === 'last' ? 'last' : 'clicks'}
            onChange={(value) => change({ order: value })}
          />
        </Group>
        <RangeSelect view={analytics} timeZone="UTC" />
      </Group>
      {capped && (
        <Text size="sm" c="dimmed">
          {t('mostActive', { count: CUSTOMERS, formatted: formatNumber(CUSTOMERS) })}
        </Text>
      )}
      <Result of={all}>
        {() => (
          <DataTable
            label={t('customers')}
            list={list}
            columns={columns}
            rowKey={({ customId }) => customId}
            empty={
              <Empty
                icon={IconUsers}
                title={t(search ? 'customerNotFound' : 'noCustomers')}
                text={t(search ? 'customerNotFoundText' : 'noCustomersText')}
              />
            }
          />
        )}
      </Result>
      <CustomerPanel campaign={campaign} days={days} customId={shown} onClose={() => setShown(null)} />
    </Stack>
  );
}

function useCustomerColumns(campaign: Campaign, show: (customId: string) => void): Column<Customer>[] {
  const t = useTexts(campaignPageTexts);
  return useMemo(
    () => [
      {
        key: 'customer',
        title: t('customer'),
        cell: ({ customId }) => (
          <Button
            variant="subtle"
            size="compact-sm"
            px={0}
            onClick={() => show(customId)}
            styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere', textAlign: 'left' } }}
            h="auto"
          >
            {customId}
          </Button>
        ),
      },
      {
        key: 'address',
        title: t('address'),
        from: 'md',
        cell: ({ customId }) => <Address of={addressFor(campaign, '', customId)} />,
      },
      {
        key: 'clicks',
        title: t('clicks'),
        align: 'right',
        width: 110,
        cell: ({ clicks }) => (
          <Text size="sm" className="numbers">
            {formatNumber(clicks)}
          </Text>
        ),
      },
      {
        key: 'last',
        title: t('lastClick'),
        from: 'sm',
        width: 170,
        cell: ({ lastClickedAt }) => (
          <Text size="sm" title={formatDateTime(lastClickedAt)}>
            {formatAgo(lastClickedAt)}
          </Text>
        ),
      },
    ],
    [t, campaign, show],
  );
}
