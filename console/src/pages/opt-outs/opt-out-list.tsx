import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBellOff, IconFileImport, IconList, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { api, PAGED } from '../../api/client';
import { UnsubscribeItem_channel } from '../../api/values.gen';
import { CsvImportBanner } from '../../kit/csv-import/csv-import-banner';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { Result } from '../../kit/loading';
import { SelectionBar } from '../../kit/selection';
import { showError } from '../../kit/toasts';
import { useView } from '../../kit/view';
import { common } from '../../texts/common';
import { formatDateTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { BulkPanel } from './bulk-panel';
import { type Channel, type Entry, removeEntries } from './changes';
import { CheckField } from './check-field';
import { ImportPanel } from './import-panel';
import { optOutImport } from './opt-out-import';
import { RegisterPanel } from './register-panel';
import { optOutTexts } from './texts';

const VIEW = { channel: 'SMS' };

/** The list of a channel, with its actions. */
export function OptOutList() {
  const t = useTexts(optOutTexts);
  const [view, change] = useView(VIEW);
  const channel = UnsubscribeItem_channel.find((one) => one === view.channel) ?? 'SMS';
  return (
    <Stack>
      <Group>
        <SegmentedControl
          aria-label={t('channel')}
          value={channel}
          onChange={(next) => change({ channel: next })}
          data={UnsubscribeItem_channel.map((value) => ({ value, label: t(value) }))}
        />
      </Group>
      <Entries key={channel} channel={channel} />
    </Stack>
  );
}

function Entries({ channel }: { channel: Channel }) {
  const t = useTexts(optOutTexts);
  const [panel, setPanel] = useState<'register' | 'bulk' | null>(null);
  const [importing, importPanel] = useDisclosure(false);
  const [selection, select] = useState<ReadonlySet<string | number>>(new Set());
  const columns = useColumns(channel);
  const query = { channel, size: 100 };
  const list = api.useInfiniteQuery('get', '/unsubscribes', { params: { query } }, PAGED);
  const rows = list.data?.pages.flatMap(({ content }) => content) ?? [];
  const selected = rows.filter(({ id }) => selection.has(id));
  const close = () => setPanel(null);
  const register = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setPanel('register')}>
      {t('register')}
    </Button>
  );
  return (
    <>
      {!importing && <CsvImportBanner of={optOutImport} onOpen={importPanel.open} />}
      <Result of={list}>
        {() => (
          <>
            <Group justify="space-between" align="flex-end">
              <CheckField channel={channel} />
              <Group gap="xs">
                <Button
                  variant="default"
                  leftSection={<IconList size={16} />}
                  onClick={() => setPanel('bulk')}
                >
                  {t('bulk')}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconFileImport size={16} />}
                  onClick={importPanel.open}
                >
                  {t('import')}
                </Button>
                {register}
              </Group>
            </Group>
            {selected.length > 0 && (
              <EntryBar channel={channel} selected={selected} onDone={() => select(new Set())} />
            )}
            <DataTable
              label={t('title')}
              list={list}
              columns={columns}
              rowKey={({ id }) => id}
              rowName={({ value }) => value}
              selection={selection}
              onSelect={select}
              empty={<Empty icon={IconBellOff} title={t('emptyTitle')} text={t('emptyText')} />}
            />
          </>
        )}
      </Result>
      {panel === 'register' && <RegisterPanel channel={channel} onClose={close} />}
      {panel === 'bulk' && <BulkPanel channel={channel} onClose={close} />}
      {importing && <ImportPanel channel={channel} onClose={importPanel.close} />}
    </>
  );
}

function useColumns(channel: Channel): Column<Entry>[] {
  const t = useTexts(optOutTexts);
  const c = useTexts(common);
  return useMemo(
    () => [
      { key: 'value', title: t(`value_${channel}`), cell: ({ value }) => value },
      {
        key: 'at',
        title: t('unsubscribedAt'),
        folds: true,
        cell: ({ unsubscribedAt }) => formatDateTime(unsubscribedAt),
        width: 210,
      },
      {
        key: 'method',
        title: t('method'),
        from: 'sm',
        cell: ({ method }) => t(`method_${method}`),
        width: 180,
      },
      {
        key: 'source',
        title: t('source'),
        from: 'sm',
        cell: ({ source }) => (
          <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {source ?? '–'}
          </Text>
        ),
      },
      {
        key: 'remove',
        title: c('actions'),
        titleHidden: true,
        width: 110,
        align: 'right',
        cell: (entry) => (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`${t('remove')}: ${entry.value}`}
            onClick={() => void removeEntries(channel, [entry]).catch(showError)}
          >
            {t('remove')}
          </Button>
        ),
      },
    ],
    [t, c, channel],
  );
}

interface SelectionProps {
  channel: Channel;
  selected: readonly Entry[];
  onDone: () => void;
}

function EntryBar({ channel, selected, onDone }: SelectionProps) {
  const t = useTexts(optOutTexts);
  const remove = async () => {
    await removeEntries(channel, selected);
    onDone();
  };
  return (
    <SelectionBar label={t('selectedEntries')} count={selected.length} select={onDone}>
      <Button size="compact-sm" variant="default" onClick={() => void remove().catch(showError)}>
        {t('remove')}
      </Button>
    </SelectionBar>
  );
}
