import { Badge, Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { api, PAGED, type Schemas } from '../../api/client';
import {
  listOrganizationWebhookDeliveries_event,
  listOrganizationWebhookDeliveries_status,
} from '../../api/values.gen';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { Result } from '../../kit/loading';
import { oneOf, useView } from '../../kit/view';
import { formatDateTime, formatIn } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { DeliveryPanel } from './delivery-panel';
import { STATUS_COLORS } from './status-colors';
import { webhookTexts } from './texts';

type Delivery = Schemas['DeliveryResponse'];
type Status = (typeof listOrganizationWebhookDeliveries_status)[number];
type Event = (typeof listOrganizationWebhookDeliveries_event)[number];

const VIEW = { status: '', event: '' };
const ALLOWED = {
  status: oneOf(...listOrganizationWebhookDeliveries_status),
  event: oneOf(...listOrganizationWebhookDeliveries_event),
};
const REFRESH_MS = 5_000;

/** The delivery log of an endpoint, refreshed regularly. */
export function Deliveries({ webhookId }: { webhookId: number }) {
  const t = useTexts(webhookTexts);
  const [view, setView] = useView(VIEW, ALLOWED);
  const [shown, setShown] = useState<string | null>(null);
  const query = {
    size: 50,
    ...(view.status && { status: view.status as Status }),
    ...(view.event && { event: view.event as Event }),
  };
  const list = api.useInfiniteQuery(
    'get',
    '/webhooks/{id}/deliveries',
    { params: { path: { id: webhookId }, query } },
    { ...PAGED, refetchInterval: REFRESH_MS },
  );
  const columns = useMemo<Column<Delivery>[]>(
    () => [
      { key: 'created', title: t('created'), cell: ({ createdAt }) => formatDateTime(createdAt), width: 200 },
      { key: 'event', title: t('event'), folds: true, cell: ({ event }) => event },
      {
        key: 'status',
        title: t('status'),
        cell: ({ status, nextAttemptAt }) => (
          <Group gap={6}>
            <Badge color={STATUS_COLORS[status]}>{t(status)}</Badge>
            {nextAttemptAt !== null && (
              <Text size="xs" c="dimmed">
                {t('next', { when: formatIn(nextAttemptAt) })}
              </Text>
            )}
          </Group>
        ),
      },
      {
        key: 'answer',
        title: t('answer'),
        from: 'sm',
        cell: ({ attempts }) => {
          const last = attempts.at(-1);
          return last ? (last.statusCode ?? last.error) : '–';
        },
      },
      {
        key: 'attempts',
        title: t('attempts'),
        from: 'sm',
        align: 'right',
        cell: ({ attempts }) => attempts.length,
        width: 90,
      },
      {
        key: 'details',
        title: t('details'),
        titleHidden: true,
        align: 'right',
        cell: ({ deliveryId }) => (
          <Button size="compact-sm" variant="subtle" onClick={() => setShown(deliveryId)}>
            {t('details')}
          </Button>
        ),
        width: 110,
      },
    ],
    [t],
  );
  const options = <Key extends string>(values: readonly Key[], label: (value: Key) => string) =>
    values.map((value) => ({ value, label: label(value) }));
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('deliveries')}
        </Title>
        <Group gap="xs">
          <Select
            aria-label={t('status')}
            placeholder={t('anyStatus')}
            clearable
            w={150}
            data={options(listOrganizationWebhookDeliveries_status, t)}
            value={view.status || null}
            onChange={(status) => setView({ status: status ?? '' })}
          />
          <Select
            aria-label={t('event')}
            placeholder={t('anyEvent')}
            clearable
            searchable
            w={200}
            data={[...listOrganizationWebhookDeliveries_event]}
            value={view.event || null}
            onChange={(event) => setView({ event: event ?? '' })}
          />
        </Group>
      </Group>
      <Result of={list}>
        {() => (
          <DataTable
            label={t('deliveries')}
            list={list}
            columns={columns}
            rowKey={({ deliveryId }) => deliveryId}
            empty={<Empty icon={IconSend} title={t('noDeliveries')} text={t('noDeliveriesText')} />}
          />
        )}
      </Result>
      {shown && <DeliveryPanel deliveryId={shown} onClose={() => setShown(null)} />}
    </Stack>
  );
}
