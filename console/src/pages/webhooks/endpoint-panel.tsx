import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client, type Schemas } from '../../api/client';
import { CreateWebhookRequest_events } from '../../api/values.gen';
import { Secret } from '../../kit/copy';
import { EveryOrSome } from '../../kit/every-or-some';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Panel } from '../../kit/panel';
import { showDone } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { FilterFields } from './filter-fields';
import { webhookTexts } from './texts';
import type { Filters } from './use-filter-names';

const NO_FILTERS: Filters = { links: [], campaigns: [], tags: [], apps: [] };

type EventChoice = (typeof CreateWebhookRequest_events)[number];

/** Adds an endpoint and shows its secret, or edits one. */
export function EndpointPanel({
  endpoint,
  onClose,
}: {
  endpoint?: Schemas['WebhookResponse'];
  onClose: () => void;
}) {
  const t = useTexts(webhookTexts);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Panel opened title={t(endpoint ? 'editTitle' : 'addTitle')} onClose={onClose}>
      {secret === null ? (
        <EndpointForm
          {...(endpoint && { endpoint })}
          onDone={(made) => {
            if (made === null) onClose();
            else setSecret(made);
          }}
        />
      ) : (
        <Stack>
          <Text>{t('secretText')}</Text>
          <Secret value={secret} label={t('secretTitle')} />
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              {t('done')}
            </Button>
          </Group>
        </Stack>
      )}
    </Panel>
  );
}

interface FormProps {
  endpoint?: Schemas['WebhookResponse'];
  /** Called with the secret of a new endpoint. */
  onDone: (secret: string | null) => void;
}

function EndpointForm({ endpoint, onDone }: FormProps) {
  const t = useTexts(webhookTexts);
  const c = useTexts(common);
  const isPulled = endpoint?.url === null;
  const { links, campaigns, tags, apps } = endpoint ?? NO_FILTERS;
  const filters: Filters = { links, campaigns, tags, apps };
  const values: Filters & { url: string | null; events: EventChoice[]; enabled: boolean } = endpoint
    ? { url: endpoint.url, events: endpoint.events as EventChoice[], ...filters, enabled: endpoint.enabled }
    : { url: '', events: [], ...filters, enabled: true };
  const edit = useApiForm({
    initialValues: values,
    send: async (body): Promise<string | null> => {
      if (!endpoint) return (await unwrap(client.POST('/webhooks', { body }))).secret;
      await unwrap(client.PATCH('/webhooks/{id}', { params: { path: { id: endpoint.id } }, body }));
      return null;
    },
    done: (secret) => {
      showDone(secret === null ? c('saved') : t('added'));
      onDone(secret);
    },
  });
  const { form } = edit;
  return (
    <FormFrame of={edit} label={endpoint ? c('save') : t('add')}>
      {!isPulled && (
        <TextInput
          label={t('url')}
          description={t('urlHint')}
          placeholder="https://hooks.example.com/waypost"
          required
          data-autofocus
          {...form.getInputProps('url')}
        />
      )}
      <EveryOrSome
        label={t('events')}
        every={t('allEvents')}
        some={t('someEvents')}
        hint={t('eventsHint')}
        choices={CreateWebhookRequest_events}
        value={form.getValues().events}
        onChange={(events) => form.setFieldValue('events', events)}
        error={form.errors.events}
      />
      <FilterFields
        value={form.getValues()}
        onChange={(changed) => form.setValues(changed)}
        errors={form.errors}
      />
      <Checkbox label={t('enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </FormFrame>
  );
}
