import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { me } from '../../api/session';
import { useAllUsers } from '../../kit/use-all';
import { CreateApiKeyRequest_scopes } from '../../api/values.gen';
import { Secret } from '../../kit/copy';
import { EveryOrSome } from '../../kit/every-or-some';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Result } from '../../kit/loading';
import { Panel } from '../../kit/panel';
import { localMinute, toInstant } from '../../kit/local-time';
import { showDone } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { settingsTexts } from './texts';

type ApiKey = Schemas['ApiKeyResponse'];

/** Creates a key and shows it once, or edits one. */
export function KeyPanel({ id, onClose }: { id?: number; onClose: () => void }) {
  const t = useTexts(settingsTexts);
  const [secret, setSecret] = useState<string | null>(null);
  const done = (key: string | null) => {
    if (key === null) onClose();
    else setSecret(key);
  };
  return (
    <Panel opened title={t(id === undefined ? 'addKey' : 'editKey')} onClose={onClose}>
      {secret !== null ? (
        <Stack>
          <Secret value={secret} label={t('key')} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('done')}</Button>
          </Group>
        </Stack>
      ) : id === undefined ? (
        <KeyForm onDone={done} />
      ) : (
        <StoredKey id={id} onDone={done} />
      )}
    </Panel>
  );
}

interface FormProps {
  /** Called with the text of a new key. */
  onDone: (key: string | null) => void;
}

function StoredKey({ id, onDone }: FormProps & { id: number }) {
  const key = api.useQuery('get', '/api-keys/{id}', { params: { path: { id } } });
  return <Result of={key}>{(data) => <KeyForm edited={data} onDone={onDone} />}</Result>;
}

function KeyForm({ edited, onDone }: FormProps & { edited?: ApiKey }) {
  const t = useTexts(settingsTexts);
  const c = useTexts(common);
  const user = me.get();
  const others = useAllUsers().filter(({ id }) => id !== user?.id);
  // The signed-in user does not wait for the list: a name that arrives while someone types replaces their text.
  const users = user ? [user, ...others] : others;
  const edit = useApiForm({
    initialValues: {
      name: edited?.name ?? '',
      userId: String(edited?.userId ?? user?.id ?? ''),
      scopes: edited?.scopes ?? [],
      expiresAt: edited?.expiresAt ? localMinute(edited.expiresAt) : '',
    },
    send: async ({ name, userId, scopes, expiresAt }): Promise<string | null> => {
      const body = { name, scopes, expiresAt: expiresAt ? toInstant(expiresAt) : null };
      if (!edited)
        return (await unwrap(client.POST('/api-keys', { body: { ...body, userId: Number(userId) } }))).apiKey;
      await unwrap(client.PATCH('/api-keys/{id}', { params: { path: { id: edited.id } }, body }));
      return null;
    },
    done: (key) => {
      showDone(edited ? c('saved') : t('keyCreated'));
      onDone(key);
    },
  });
  const { form } = edit;
  return (
    <FormFrame of={edit} label={edited ? c('save') : t('addKey')}>
      <TextInput label={t('purpose')} required data-autofocus {...form.getInputProps('name')} />
      {!edited && (
        <Select
          label={t('actsFor')}
          searchable
          allowDeselect={false}
          data={users.map(({ id, name, username }) => ({ value: String(id), label: name ?? username }))}
          {...form.getInputProps('userId')}
        />
      )}
      <EveryOrSome
        label={t('scopes')}
        every={t('everyScope')}
        some={t('someScopes')}
        hint={t('scopesHint')}
        choices={CreateApiKeyRequest_scopes}
        value={form.getValues().scopes}
        onChange={(scopes) => form.setFieldValue('scopes', scopes)}
        error={form.errors.scopes}
      />
      <TextInput
        type="datetime-local"
        label={t('expires')}
        description={t('expiresHint')}
        {...form.getInputProps('expiresAt')}
      />
    </FormFrame>
  );
}
