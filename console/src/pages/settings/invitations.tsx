import { Button, Stack, Title } from '@mantine/core';
import { useMemo } from 'react';
import { api, client, PAGED, queries, type Schemas } from '../../api/client';
import { type Column, DataTable } from '../../kit/data-table';
import { unwrap } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { formatDateTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { settingsTexts } from './texts';

type Invitation = Schemas['InvitationResponse'];

/** Invitations that can still be accepted; nothing if there are none. */
export function Invitations() {
  const t = useTexts(settingsTexts);
  const list = api.useInfiniteQuery('get', '/invitations', { params: { query: { size: 100 } } }, PAGED);
  const columns = useMemo<Column<Invitation>[]>(() => {
    const revoke = async (id: number) => {
      await unwrap(client.DELETE('/invitations/{id}', { params: { path: { id } } }));
      await queries.invalidateQueries();
      showDone(t('revoked'));
    };
    return [
      { key: 'email', title: t('email'), cell: ({ email }) => email ?? t('anybody') },
      { key: 'role', title: t('role'), cell: ({ role }) => t(role) },
      { key: 'expires', title: t('expires'), from: 'sm', cell: ({ expiresAt }) => formatDateTime(expiresAt) },
      {
        key: 'revoke',
        title: '',
        align: 'right',
        cell: ({ id }) => (
          <Button size="compact-sm" variant="default" onClick={() => void revoke(id).catch(showError)}>
            {t('revoke')}
          </Button>
        ),
      },
    ];
  }, [t]);
  if (!list.data?.pages[0]?.totalElements) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('invitations')}
      </Title>
      <DataTable
        label={t('invitations')}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={null}
      />
    </Stack>
  );
}
