import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconKey, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { client, queries, type Schemas } from '../../api/client';
import { confirm } from '../../kit/confirm';
import { unwrap } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { type Translate, useTexts } from '../../texts/texts';
import { appTexts } from './texts';

type App = Schemas['AppResponse'];

/** What is done to an app more rarely. */
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
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={c('actions')}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconKey size={16} />} onClick={() => regenerateKey(app, t)}>
          {t('regenerate')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="red.8"
          leftSection={<IconTrash size={16} />}
          onClick={() => void remove().catch(showError)}
        >
          {c('delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Asks for the name of the app first, because the old key stops working at once. */
export function regenerateKey(app: App, t: Translate<'regenerate' | 'regenerateText' | 'regenerated'>): void {
  const run = async () => {
    const name = app.appName.trim();
    const title = t('regenerate');
    if (!(await confirm({ title, text: t('regenerateText'), confirm: title, name }))) return;
    await unwrap(client.POST('/mobile-apps/{id}/regenerate-key', { params: { path: { id: app.id } } }));
    await queries.invalidateQueries();
    showDone(t('regenerated'));
  };
  void run().catch(showError);
}
