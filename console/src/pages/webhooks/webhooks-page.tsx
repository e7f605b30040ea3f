import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useMemo } from 'react';
import { api, PAGED, type Schemas } from '../../api/client';
import { May } from '../../api/may';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { RouteLink } from '../../kit/route-link';
import { formatAgo } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { EndpointPanel } from './endpoint-panel';
import { EndpointState } from './endpoint-state';
import { webhookTexts } from './texts';

type Webhook = Schemas['WebhookResponse'];

export function WebhooksPage() {
  const t = useTexts(webhookTexts);
  const [adding, panel] = useDisclosure(false);
  const list = api.useInfiniteQuery('get', '/webhooks', { params: { query: { size: 50 } } }, PAGED);
  const columns = useMemo<Column<Webhook>[]>(
    () => [
      {
        key: 'url',
        title: t('url'),
        cell: ({ id, url }) => (
          <RouteLink to="/webhooks/$id" params={{ id: String(id) }} size="sm" fw={600}>
            {url ?? t('endpoint', { id })}
          </RouteLink>
        ),
      },
      { key: 'state', title: t('state'), cell: (webhook) => <EndpointState of={webhook} />, width: 120 },
      {
        key: 'events',
        title: t('events'),
        from: 'sm',
        cell: ({ events }) => (
          <Text size="sm" lineClamp={2}>
            {events.map((event) => (event === '*' ? t('allEvents') : event)).join(', ')}
          </Text>
        ),
      },
      {
        key: 'day',
        title: t('last24Hours'),
        from: 'lg',
        cell: ({ last24Hours }) => t('counts', last24Hours),
      },
      {
        key: 'last',
        title: t('lastDelivered'),
        from: 'md',
        cell: ({ lastDeliveredAt }) => formatAgo(lastDeliveredAt),
        width: 170,
      },
    ],
    [t],
  );
  const add = (
    <May call="createOrganizationWebhook">
      <Button leftSection={<IconPlus size={16} />} onClick={panel.open}>
        {t('add')}
      </Button>
    </May>
  );
  return (
    <Page title={t('title')} subtitle={t('subtitle')} actions={add}>
      <Result of={list}>
        {() => (
          <DataTable
            label={t('title')}
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            empty={<Empty icon={IconWebhook} title={t('emptyTitle')} text={t('emptyText')} action={add} />}
          />
        )}
      </Result>
      {adding && <EndpointPanel onClose={panel.close} />}
    </Page>
  );
}
