import { Menu } from '@mantine/core';
import { IconBan, IconDownload, IconEraser, IconUserOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { client, queries } from '../../api/client';
import { May } from '../../api/may';
import { ActionsMenu } from '../../kit/actions-menu';
import { confirm } from '../../kit/confirm';
import { useDownload } from '../../kit/download';
import { unwrap } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { useTexts } from '../../texts/texts';
import { type Contact, nameOf } from './contact';
import { contactTexts } from './texts';

export function ContactMenu({ contact }: { contact: Contact }) {
  const t = useTexts(contactTexts);
  const navigate = useNavigate();
  const { busy, download } = useDownload();
  const { id, blocked, status } = contact;
  const params = { path: { id } };

  const setBlocked = async (on: boolean) => {
    await unwrap(
      on
        ? client.POST('/messaging/contacts/{id}/block', { params })
        : client.POST('/messaging/contacts/{id}/unblock', { params }),
    );
    await queries.invalidateQueries();
    showDone(t(on ? 'wasBlocked' : 'wasUnblocked'), () => void setBlocked(!on).catch(showError));
  };
  const remove = async (erase: boolean) => {
    const question = {
      title: t(erase ? 'eraseTitle' : 'deactivateTitle'),
      text: t(erase ? 'eraseText' : 'deactivateText'),
      confirm: t(erase ? 'erase' : 'deactivate'),
      name: nameOf(contact),
    };
    if (!(await confirm(question))) return;
    await unwrap(client.DELETE('/messaging/contacts/{id}', { params: { ...params, query: { erase } } }));
    showDone(t(erase ? 'wasErased' : 'wasDeactivated'));
    await navigate({ to: '/contacts' });
    await queries.invalidateQueries();
  };
  const act = (run: () => Promise<void>) => () => void run().catch(showError);

  return (
    <ActionsMenu width={280}>
      <May call="exportOrganizationPerson">
        <Menu.Item
          leftSection={<IconDownload size={16} />}
          disabled={busy}
          onClick={() =>
            download(`contact-${id}.json`, () =>
              client.GET('/messaging/contacts/{id}/export', { params, parseAs: 'blob' }),
            )
          }
        >
          {t('exportPerson')}
        </Menu.Item>
      </May>
      <Menu.Item leftSection={<IconBan size={16} />} onClick={act(() => setBlocked(!blocked))}>
        {t(blocked ? 'unblock' : 'block')}
      </Menu.Item>
      <Menu.Divider />
      {status === 'ACTIVE' && (
        <Menu.Item leftSection={<IconUserOff size={16} />} onClick={act(() => remove(false))}>
          {t('deactivate')}
        </Menu.Item>
      )}
      {/* Erasure requires the same role as the export. */}
      <May call="exportOrganizationPerson">
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconEraser size={16} />}
          onClick={act(() => remove(true))}
        >
          {t('erase')}
        </Menu.Item>
      </May>
    </ActionsMenu>
  );
}
