import { Menu } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { client, queries, type Schemas } from '../../api/client';
import { ActionsMenu, DeleteItem } from '../../kit/actions-menu';
import { confirm } from '../../kit/confirm';
import { unwrap } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { type Translate, useTexts } from '../../texts/texts';
import { appTexts } from './texts';

type App = Schemas['AppResponse'];

export function AppMenu({ app }: { app: App }) {
  const t = useTexts(appTexts);
  const c = useTexts(common);
  const navigate = useNavigate();
  const remove = async () => {
    const name = app.appName.trim();
    if (!(await confirm({ title: t('deleteTitle'), text: t('deleteText'), confirm: c('delete'), name })))
      return;
    await unwrap(client.DELETE('/mobile-apps/{id}', { params: { path: { id: app.id } } }));
    showDone(t('deleted'));
    await navigate({ to: '/apps' });
    await queries.invalidateQueries();
  };
  return (
    <ActionsMenu width={260}>
      <Menu.Item leftSection={<IconKey size={16} />} onClick={() => regenerateKey(app, 'publishable', t)}>
        {t('regeneratePublishable')}
      </Menu.Item>
      <Menu.Item leftSection={<IconKey size={16} />} onClick={() => regenerateKey(app, 'secret', t)}>
        {t('regenerateSecret')}
      </Menu.Item>
      <DeleteItem onClick={() => void remove().catch(showError)} />
    </ActionsMenu>
  );
}

const REGENERATE = {
  publishable: {
    path: '/mobile-apps/{id}/regenerate-publishable-key',
    title: 'regeneratePublishable',
    text: 'regeneratePublishableText',
  },
  secret: {
    path: '/mobile-apps/{id}/regenerate-key',
    title: 'regenerateSecret',
    text: 'regenerateSecretText',
  },
} as const;

/** Asks for the app's name as confirmation, because the old key stops working at once. */
export function regenerateKey(
  app: App,
  key: keyof typeof REGENERATE,
  t: Translate<(typeof REGENERATE)[keyof typeof REGENERATE]['title' | 'text'] | 'regenerated'>,
): void {
  const run = async () => {
    const name = app.appName.trim();
    const { path, title, text } = REGENERATE[key];
    if (!(await confirm({ title: t(title), text: t(text), confirm: t(title), name }))) return;
    await unwrap(client.POST(path, { params: { path: { id: app.id } } }));
    await queries.invalidateQueries();
    showDone(t('regenerated'));
  };
  void run().catch(showError);
}
