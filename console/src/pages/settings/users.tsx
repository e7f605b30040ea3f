import { Badge, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconPlus, IconSend, IconUsers } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { api, client, PAGED, queries, type Schemas } from '../../api/client';
import { me } from '../../api/session';
import { useStore } from '../../api/store';
import { ActionsMenu, DeleteItem } from '../../kit/actions-menu';
import { confirm } from '../../kit/confirm';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { unwrap } from '../../kit/form';
import { Result } from '../../kit/loading';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { formatAgo, formatDate } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { InvitationPanel } from './invitation-panel';
import { Invitations } from './invitations';
import { settingsTexts } from './texts';
import { UserPanel } from './user-panel';

type User = Schemas['ListedUserResponse'];

export function Users() {
  const t = useTexts(settingsTexts);
  const [panel, setPanel] = useState<'add' | 'invite' | User | null>(null);
  const list = api.useInfiniteQuery('get', '/users', { params: { query: { size: 100 } } }, PAGED);
  const columns = useMemo<Column<User>[]>(
    () => [
      {
        key: 'name',
        title: t('name'),
        cell: (user) => (
          <div>
            <Text size="sm" fw={500}>
              {user.name ?? user.username}
            </Text>
            <Text size="xs" c="dimmed">
              {user.email ?? user.username}
            </Text>
          </div>
        ),
      },
      {
        key: 'role',
        title: t('role'),
        cell: ({ role }) => (
          <Badge
            variant="outline"
            color={role === 'ADMIN' ? 'waypost.8' : 'gray.7'}
            c="var(--mantine-color-text)"
          >
            {t(role)}
          </Badge>
        ),
      },
      {
        key: 'permissions',
        title: t('permissions'),
        from: 'md',
        cell: ({ permissions }) => permissions.map((one) => t(one)).join(', ') || '–',
      },
      {
        key: 'signedIn',
        title: t('lastSignIn'),
        from: 'sm',
        cell: ({ lastSignInAt }) => (lastSignInAt === null ? t('notYet') : formatAgo(lastSignInAt)),
      },
      { key: 'created', title: t('created'), from: 'md', cell: ({ createdAt }) => formatDate(createdAt) },
      {
        key: 'actions',
        title: '',
        align: 'right',
        cell: (user) => <UserMenu user={user} onEdit={() => setPanel(user)} />,
        width: 60,
      },
    ],
    [t],
  );
  return (
    <Stack>
      <Group justify="flex-end">
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setPanel('add')}>
          {t('addUser')}
        </Button>
        <Button leftSection={<IconSend size={16} />} onClick={() => setPanel('invite')}>
          {t('invite')}
        </Button>
      </Group>
      <Result of={list}>
        {() => (
          <DataTable
            label={t('users')}
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            empty={<Empty icon={IconUsers} title={t('users')} text={t('inviteText')} />}
          />
        )}
      </Result>
      <Invitations />
      {panel === 'invite' && <InvitationPanel onClose={() => setPanel(null)} />}
      {panel === 'add' && <UserPanel onClose={() => setPanel(null)} />}
      {panel !== null && typeof panel === 'object' && (
        <UserPanel id={panel.id} onClose={() => setPanel(null)} />
      )}
    </Stack>
  );
}

function UserMenu({ user, onEdit }: { user: User; onEdit: () => void }) {
  const t = useTexts(settingsTexts);
  const c = useTexts(common);
  const self = useStore(me)?.id === user.id;
  const params = { path: { id: user.id } };
  const done = async (text: string) => {
    await queries.invalidateQueries();
    showDone(text);
  };
  const endSessions = async () => {
    await unwrap(client.DELETE('/users/{id}/sessions', { params }));
    await done(t('sessionsEnded'));
  };
  const unlink = async () => {
    await unwrap(client.DELETE('/users/{id}/identities', { params: { path: { id: user.id } } }));
    await done(t('unlinked'));
  };
  const remove = async () => {
    const { username } = user;
    const question = {
      title: t('deleteUser', { name: username }),
      text: t('deleteUserText'),
      confirm: c('delete'),
      name: username,
    };
    if (!(await confirm(question))) return;
    await unwrap(client.DELETE('/users/{id}', { params }));
    await done(t('userDeleted'));
  };
  return (
    <ActionsMenu label={`${c('actions')}: ${user.username}`} inRow>
      <Menu.Item onClick={onEdit}>{c('edit')}</Menu.Item>
      <Menu.Item onClick={() => void endSessions().catch(showError)}>{t('endSessions')}</Menu.Item>
      {user.identityLinked && (
        <Menu.Item onClick={() => void unlink().catch(showError)}>{t('unlink')}</Menu.Item>
      )}
      {!self && <DeleteItem onClick={() => void remove().catch(showError)} />}
    </ActionsMenu>
  );
}
