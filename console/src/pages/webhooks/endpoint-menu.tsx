import { Menu, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHistory, IconKey, IconPower } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client, queries, type Schemas } from '../../api/client';
import { ActionsMenu, DeleteItem } from '../../kit/actions-menu';
import { confirm } from '../../kit/confirm';
import { Secret } from '../../kit/copy';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { localMinute, toInstant } from '../../kit/local-time';
import { Dialog } from '../../kit/dialog';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { webhookTexts } from './texts';

type Webhook = Schemas['WebhookResponse'];

export function EndpointMenu({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  const c = useTexts(common);
  const navigate = useNavigate();
  const [replaying, replay] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { id, enabled, url, previousSecretUntil } = webhook;
  const params = { path: { id } };

  const change = (body: Schemas['UpdateWebhookRequest']) =>
    unwrap(client.PATCH('/webhooks/{id}', { params, body }));
  const setEnabled = async (on: boolean) => {
    await change({ enabled: on });
    await queries.invalidateQueries();
    showDone(t(on ? 'wasEnabled' : 'wasDisabled'), () => void setEnabled(!on).catch(showError));
  };
  const rotate = async () => {
    if (!(await confirm({ title: t('rotate'), text: t('rotateText'), confirm: t('rotate') }))) return;
    const rotated = await unwrap(client.POST('/webhooks/{id}/rotate-secret', { params }));
    await queries.invalidateQueries();
    setSecret(rotated.secret);
  };
  const promote = async () => {
    if (
      !(await confirm({ title: t('promote'), text: t('promoteText'), confirm: t('promote'), danger: true }))
    )
      return;
    await change({ promote: true });
    await queries.invalidateQueries();
    showDone(t('promoted'));
  };
  const remove = async () => {
    const name = url === null ? t('endpoint', { id }) : new URL(url).host;
    if (!(await confirm({ title: t('deleteTitle'), text: t('deleteText'), confirm: c('delete'), name })))
      return;
    await unwrap(client.DELETE('/webhooks/{id}', { params }));
    showDone(t('deleted'));
    await navigate({ to: '/webhooks' });
    await queries.invalidateQueries();
  };
  const act = (run: () => Promise<void>) => () => void run().catch(showError);

  return (
    <>
      <ActionsMenu width={260}>
        <Menu.Item leftSection={<IconPower size={16} />} onClick={act(() => setEnabled(!enabled))}>
          {t(enabled ? 'disable' : 'enable')}
        </Menu.Item>
        <Menu.Item leftSection={<IconHistory size={16} />} onClick={replay.open}>
          {t('replay')}
        </Menu.Item>
        <Menu.Item leftSection={<IconKey size={16} />} onClick={act(rotate)}>
          {t('rotate')}
        </Menu.Item>
        {previousSecretUntil !== null && (
          <Menu.Item leftSection={<IconKey size={16} />} onClick={act(promote)}>
            {t('promote')}
          </Menu.Item>
        )}
        <DeleteItem onClick={act(remove)} />
      </ActionsMenu>
      <Dialog opened={secret !== null} onClose={() => setSecret(null)} title={t('secretTitle')}>
        <Secret value={secret ?? ''} label={t('secretTitle')} />
      </Dialog>
      <Dialog opened={replaying} onClose={replay.close} title={t('replayTitle')}>
        <Replay id={id} onDone={replay.close} />
      </Dialog>
    </>
  );
}

const DAY_MS = 86_400_000;

function Replay({ id, onDone }: { id: number; onDone: () => void }) {
  const t = useTexts(webhookTexts);
  const [yesterday] = useState(() => localMinute(Date.now() - DAY_MS));
  const replay = useApiForm({
    initialValues: { since: yesterday },
    send: ({ since }) =>
      unwrap(
        client.POST('/webhooks/{id}/replay', { params: { path: { id } }, body: { since: toInstant(since) } }),
      ),
    done: () => {
      showDone(t('replayStarted'));
      onDone();
    },
  });
  return (
    <FormFrame of={replay} label={t('replay')}>
      <Stack gap="sm">
        {t('replayText')}
        <TextInput
          type="datetime-local"
          label={t('since')}
          data-autofocus
          {...replay.form.getInputProps('since')}
        />
      </Stack>
    </FormFrame>
  );
}
