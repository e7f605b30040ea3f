import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api/client';
import { Secret } from '../../kit/copy';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Panel } from '../../kit/panel';
import { useTexts } from '../../texts/texts';
import { AccessFields, type AccessValues } from './access-fields';
import { settingsTexts } from './texts';

/** Invites a person, and shows the link to pass on. */
export function InvitationPanel({ onClose }: { onClose: () => void }) {
  const t = useTexts(settingsTexts);
  const [url, setUrl] = useState<string | null>(null);
  const access: AccessValues = { role: 'VIEWER', permissions: [] };
  const invite = useApiForm({
    initialValues: { email: '', ...access },
    send: ({ email, ...rest }) =>
      unwrap(client.POST('/invitations', { body: { ...rest, email: email.trim() || null } })),
    done: (created) => setUrl(created.url),
  });
  const { form } = invite;
  return (
    <Panel opened title={t('inviteTitle')} onClose={onClose}>
      <Stack>
        <Text size="sm">{t('inviteText')}</Text>
        {url === null ? (
          <FormFrame of={invite} label={t('createLink')}>
            <TextInput
              label={t('email')}
              description={t('inviteEmailHint')}
              type="email"
              data-autofocus
              {...form.getInputProps('email')}
            />
            <AccessFields form={form} />
          </FormFrame>
        ) : (
          <>
            <Secret value={url} label={t('invitationLink')} />
            <Group justify="flex-end">
              <Button onClick={onClose}>{t('done')}</Button>
            </Group>
          </>
        )}
      </Stack>
    </Panel>
  );
}
