import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { api, PAGED, type Schemas } from '../../api/client';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { Dialog } from '../../kit/dialog';
import { Result } from '../../kit/loading';
import { SearchField } from '../../kit/search-field';
import { useView } from '../../kit/view';
import { formatDateTime } from '../../texts/format';
import { type Translate, useTexts } from '../../texts/texts';
import { AUDIT_VIEW, AuditFilters, auditQuery } from './audit-filters';
import { actionText, auditTexts, resourceText } from './audit-texts';
import { settingsTexts } from './texts';

type Entry = Schemas['AuditEntryResponse'];

export function AuditLog() {
  const t = useTexts(settingsTexts);
  const a = useTexts(auditTexts) as Translate<string>;
  const [view, setView] = useView(AUDIT_VIEW);
  const [shown, setShown] = useState<Entry | null>(null);
  const query = { size: 100, ...auditQuery(view) };
  const list = api.useInfiniteQuery('get', '/audit-log', { params: { query } }, PAGED);
  const columns = useMemo<Column<Entry>[]>(
    () => [
      { key: 'when', title: t('when'), cell: ({ at }) => formatDateTime(at), width: 200 },
      {
        key: 'who',
        title: t('who'),
        folds: true,
        cell: ({ actor: { type, id, name, key } }) => (
          <div>
            <Anchor
              component="button"
              type="button"
              size="sm"
              ta="left"
              title={t('onlyBy', { name: name ?? t(type) })}
              style={{ overflowWrap: 'anywhere' }}
              onClick={() => setView({ actor: id === null ? type : `${type}:${id}` })}
            >
              {name ?? t(type)}
            </Anchor>
            {name !== null && (
              <Text size="xs" c="dimmed">
                {key === null ? t(type) : t(`APP_${key}`)}
              </Text>
            )}
          </div>
        ),
      },
      { key: 'from', title: t('from'), from: 'md', cell: ({ ip }) => ip },
      {
        key: 'action',
        title: t('action'),
        folds: true,
        cell: ({ action }) => <span title={action}>{actionText(a, action)}</span>,
      },
      {
        key: 'resource',
        title: t('resource'),
        from: 'sm',
        cell: ({ resourceType, resourceId }) =>
          [resourceText(a, resourceType), resourceId].filter(Boolean).join(' '),
      },
      {
        key: 'changes',
        title: t('changes'),
        align: 'right',
        cell: (entry) =>
          Object.keys(entry.changes).length > 0 && (
            <Button size="compact-sm" variant="subtle" onClick={() => setShown(entry)}>
              {t('showChanges')}
            </Button>
          ),
      },
    ],
    [t, a, setView],
  );
  return (
    <Stack>
      <Group>
        <SearchField
          label={t('anyAction')}
          value={view.action}
          onChange={(action, step) => setView({ action }, step)}
        />
        <SearchField
          label={t('anyResource')}
          value={view.resourceType}
          onChange={(resourceType) => setView({ resourceType })}
        />
        <AuditFilters view={view} change={setView} />
      </Group>
      <Result of={list}>
        {() => (
          <DataTable
            label={t('audit')}
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            empty={<Empty icon={IconHistory} title={t('noEntries')} text={t('noEntriesText')} />}
          />
        )}
      </Result>
      <Dialog opened={shown !== null} onClose={() => setShown(null)} title={t('changes')} size="lg">
        <Code block tabIndex={0}>
          {JSON.stringify(shown?.changes, null, 2)}
        </Code>
      </Dialog>
    </Stack>
  );
}
