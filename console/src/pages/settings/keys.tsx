import { Button, Code, Group, Menu, Stack, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { api, client, PAGED, queries, type Schemas } from '../../api/client';
import { ActionsMenu, DeleteItem } from '../../kit/actions-menu';
import { confirm } from '../../kit/confirm';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { unwrap } from '../../kit/form';
import { Result } from '../../kit/loading';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { formatAgo, formatDateTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { KeyPanel } from './key-panel';
import { ReplaceKey } from './replace-key';
import { settingsTexts } from './texts';

type ApiKey = Schemas['ApiKeyResponse'];

export function Keys() {
  const t = useTexts(settingsTexts);
  const [panel, setPanel] = useState<{ edit: ApiKey | null } | null>(null);
  const [replaced, setReplaced] = useState<ApiKey | null>(null);
  const list = api.useInfiniteQuery('get', '/api-keys', { params: { query: { size: 100 } } }, PAGED);
  const columns = useMemo<Column<ApiKey>[]>(
    () => [
      {
        key: 'name',
        title: t('purpose'),
        cell: ({ name, previousKeyExpiresAt }) => (
          <div>
            <Text size="sm" fw={500}>
              {name}
            </Text>
            {previousKeyExpiresAt !== null && (
              <Text size="xs" c="dimmed">
                {t('oldKeyUntil', { until: formatDateTime(previousKeyExpiresAt) })}
              </Text>
            )}
          </div>
        ),
      },
      { key: 'key', title: t('key'), from: 'sm', cell: ({ prefix }) => <Code>{prefix}…</Code> },
      {
        key: 'scopes',
        title: t('scopes'),
        from: 'md',
        cell: ({ scopes }) => (
          <Text size="sm" lineClamp={2}>
            {scopes.map((scope) => (scope === '*' ? t('allScopes') : scope)).join(', ')}
          </Text>
        ),
      },
      { key: 'lastUsed', title: t('lastUsed'), from: 'sm', cell: ({ lastUsedAt }) => formatAgo(lastUsedAt) },
      {
        key: 'expires',
        title: t('expires'),
        cell: ({ expiresAt }) => (expiresAt === null ? t('neverExpires') : formatDateTime(expiresAt)),
      },
      {
        key: 'actions',
        title: '',
        align: 'right',
        cell: (key) => (
          <KeyMenu of={key} onEdit={() => setPanel({ edit: key })} onReplace={() => setReplaced(key)} />
        ),
        width: 60,
      },
    ],
    [t],
  );
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setPanel({ edit: null })}>
      {t('addKey')}
    </Button>
  );
  return (
    <Stack>
      <Group justify="flex-end">{add}</Group>
      <Result of={list}>
        {() => (
          <DataTable
            label={t('keys')}
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            empty={<Empty icon={IconKey} title={t('noKeys')} text={t('noKeysText')} action={add} />}
          />
        )}
      </Result>
      {panel && <KeyPanel {...(panel.edit && { id: panel.edit.id })} onClose={() => setPanel(null)} />}
      {replaced && <ReplaceKey id={replaced.id} onClose={() => setReplaced(null)} />}
    </Stack>
  );
}

function KeyMenu({ of, onEdit, onReplace }: { of: ApiKey; onEdit: () => void; onReplace: () => void }) {
  const t = useTexts(settingsTexts);
  const c = useTexts(common);
  const remove = async () => {
    const { name } = of;
    if (
      !(await confirm({
        title: t('deleteKey', { name }),
        text: t('deleteKeyText'),
        confirm: c('delete'),
        name,
      }))
    )
      return;
    await unwrap(client.DELETE('/api-keys/{id}', { params: { path: { id: of.id } } }));
    await queries.invalidateQueries();
    showDone(t('keyDeleted'));
  };
  return (
    <ActionsMenu label={`${c('actions')}: ${of.name}`} inRow>
      <Menu.Item onClick={onEdit}>{c('edit')}</Menu.Item>
      <Menu.Item onClick={onReplace}>{t('replaceKey')}</Menu.Item>
      <DeleteItem onClick={() => void remove().catch(showError)} />
    </ActionsMenu>
  );
}
