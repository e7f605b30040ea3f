import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEdit, IconSend } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { api, client, type Schemas } from '../../api/client';
import { unwrap } from '../../kit/form';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { formatAgo, formatDateTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { Deliveries } from './deliveries';
import { EndpointMenu } from './endpoint-menu';
import { EndpointPanel } from './endpoint-panel';
import { EndpointState } from './endpoint-state';
import { webhookTexts } from './texts';
import { type Filters, useFilterNames } from './use-filter-names';

type Webhook = Schemas['WebhookResponse'];

export function WebhookPage() {
  const { id } = useParams({ from: '/shell/webhooks/$id' });
  const endpoint = api.useQuery('get', '/webhooks/{id}', { params: { path: { id: Number(id) } } });
  return <Result of={endpoint}>{(webhook) => <Endpoint webhook={webhook} />}</Result>;
}

function Endpoint({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  const c = useTexts(common);
  const [editing, panel] = useDisclosure(false);
  const params = { path: { id: webhook.id } };
  const sendTest = () =>
    unwrap(client.POST('/webhooks/{id}/test', { params }))
      .then(() => showDone(t('testSent')))
      .catch(showError);
  const actions = (
    <>
      <Button variant="default" leftSection={<IconEdit size={16} />} onClick={panel.open}>
        {c('edit')}
      </Button>
      <Button
        leftSection={<IconSend size={16} />}
        disabled={!webhook.enabled}
        onClick={() => void sendTest()}
      >
        {t('sendTest')}
      </Button>
      <EndpointMenu webhook={webhook} />
    </>
  );
  return (
    <Page
      title={webhook.url ?? t('endpoint', { id: webhook.id })}
      subtitle={<Facts webhook={webhook} />}
      actions={actions}
    >
      <Notices webhook={webhook} />
      <Deliveries webhookId={webhook.id} />
      {editing && <EndpointPanel endpoint={webhook} onClose={panel.close} />}
    </Page>
  );
}

function Facts({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  return (
    <Group gap="md" mt={4}>
      <EndpointState of={webhook} />
      <Text size="sm">
        {webhook.events.map((event) => (event === '*' ? t('allEvents') : event)).join(', ')}
      </Text>
      <FilterNames filters={webhook} />
      <Text size="sm">
        {t('lastDelivered')}: {formatAgo(webhook.lastDeliveredAt)}
      </Text>
      {webhook.delivery === 'PULL' && (
        <Text size="sm">
          {t('lastPulled')}: {formatAgo(webhook.lastPulledAt)}
        </Text>
      )}
    </Group>
  );
}

/** What the events must be about, if there are filters. */
function FilterNames({ filters }: { filters: Filters }) {
  const t = useTexts(webhookTexts);
  const { links, campaigns, apps } = useFilterNames(filters);
  const names = [...[...links, ...campaigns, ...apps].map(({ label }) => label), ...filters.tags];
  if (names.length === 0) return null;
  return (
    <Text size="sm">
      {t('filters')}: {names.join(', ')}
    </Text>
  );
}

/** Notices about an unusual state of the endpoint. */
function Notices({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  const { delivery, state, disabledReason, failingSince, lastError, replayingSince, previousSecretUntil } =
    webhook;
  return (
    <Stack gap="xs">
      {delivery === 'PULL' && <Alert>{t('pulled')}</Alert>}
      {disabledReason !== null && <Alert color="gray">{t(`reason_${disabledReason}`)}</Alert>}
      {state === 'FAILING' && (
        <Alert color="orange">
          {t('failingSince')}: {formatDateTime(failingSince)}. {t('lastError')}: {lastError}
        </Alert>
      )}
      {replayingSince !== null && <Alert>{t('replaying', { since: formatDateTime(replayingSince) })}</Alert>}
      {previousSecretUntil !== null && (
        <Alert color="yellow">{t('rotating', { until: formatDateTime(previousSecretUntil) })}</Alert>
      )}
    </Stack>
  );
}
