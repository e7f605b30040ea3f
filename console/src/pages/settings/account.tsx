import { Badge, Button, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { IconDevices } from '@tabler/icons-react';
import { useMemo } from 'react';
import { api, client, PAGED, queries, type Schemas } from '../../api/client';
import { me, type Me } from '../../api/session';
import { useStore } from '../../api/store';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Result } from '../../kit/loading';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { formatAgo } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { settingsTexts } from './texts';

type Session = Schemas['ConsoleSessionResponse'];

export function Account() {
  const user = useStore(me);
  return (
    <Stack gap="xl">
      {user && <Profile key={user.updatedAt} user={user} />}
      <Sessions />
    </Stack>
  );
}

/** Sends changed fields only, because a new user name or address requires the current password. */
function Profile({ user }: { user: Me }) {
  const t = useTexts(settingsTexts);
  const c = useTexts(common);
  const profile = useApiForm({
    initialValues: {
      name: user.name ?? '',
      username: user.username,
      email: user.email ?? '',
      password: '',
      currentPassword: '',
    },
    send: ({ name, username, email, password, currentPassword }) => {
      const body = {
        name: name.trim() || null,
        ...(username !== user.username && { username }),
        ...(email !== (user.email ?? '') && { email: email.trim() || null }),
        ...(password && { password }),
        ...(currentPassword && { currentPassword }),
      };
      return unwrap(client.PATCH('/api/v1/console/me', { body }));
    },
    done: (changed) => {
      me.set(changed);
      showDone(c('saved'));
    },
  });
  const { form } = profile;
  const toggle = { 'aria-label': t('showPassword') };
  return (
    <Paper withBorder p="lg" maw={560}>
      <Stack>
        <Title order={2} size="h4">
          {t('profile')}
        </Title>
        <FormFrame of={profile} label={c('save')}>
          <TextInput label={t('name')} autoComplete="name" {...form.getInputProps('name')} />
          <TextInput label={t('username')} autoComplete="username" {...form.getInputProps('username')} />
          <TextInput label={t('email')} type="email" autoComplete="email" {...form.getInputProps('email')} />
          <PasswordInput
            label={t('newPassword')}
            description={t('newPasswordHint')}
            autoComplete="new-password"
            visibilityToggleButtonProps={toggle}
            {...form.getInputProps('password')}
          />
          {user.hasPassword && (
            <PasswordInput
              label={t('currentPassword')}
              description={t('currentPasswordHint')}
              autoComplete="current-password"
              visibilityToggleButtonProps={toggle}
              {...form.getInputProps('currentPassword')}
            />
          )}
        </FormFrame>
      </Stack>
    </Paper>
  );
}

function Sessions() {
  const t = useTexts(settingsTexts);
  const list = api.useInfiniteQuery(
    'get',
    '/api/v1/console/sessions',
    { params: { query: { size: 50 } } },
    PAGED,
  );
  const columns = useMemo<Column<Session>[]>(() => {
    const end = async (id: number) => {
      await unwrap(client.DELETE('/api/v1/console/sessions/{id}', { params: { path: { id } } }));
      await queries.invalidateQueries();
      showDone(t('sessionEnded'));
    };
    return [
      {
        key: 'browser',
        title: t('browser'),
        cell: ({ browser, operatingSystem }) => [browser, operatingSystem].filter(Boolean).join(' · ') || '–',
      },
      { key: 'openedBy', title: t('openedBy'), from: 'sm', cell: ({ openedBy }) => t(openedBy) },
      { key: 'lastSeen', title: t('lastSeen'), cell: ({ lastSeenAt }) => formatAgo(lastSeenAt) },
      {
        key: 'end',
        title: '',
        align: 'right',
        cell: ({ id, current }) =>
          current ? (
            <Badge color="teal.9">{t('thisSession')}</Badge>
          ) : (
            <Button size="compact-sm" variant="default" onClick={() => void end(id).catch(showError)}>
              {t('endSession')}
            </Button>
          ),
      },
    ];
  }, [t]);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('sessions')}
      </Title>
      <Result of={list}>
        {() => (
          <DataTable
            label={t('sessions')}
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            empty={<Empty icon={IconDevices} title={t('sessions')} text="–" />}
          />
        )}
      </Result>
    </Stack>
  );
}
