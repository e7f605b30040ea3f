import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAddressBook, IconFileImport, IconPlus, IconSearch, IconUsersGroup } from '@tabler/icons-react';
import { useState } from 'react';
import { api, client, PAGED } from '../../api/client';
import { CsvImportBanner } from '../../kit/csv-import/csv-import-banner';
import { DataTable } from '../../kit/data-table';
import { ExportButton } from '../../kit/download';
import { Empty } from '../../kit/empty';
import { unwrap } from '../../kit/form';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { SearchField } from '../../kit/search-field';
import { useSelection } from '../../kit/selection';
import { useView } from '../../kit/view';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { nameOf } from './contact';
import { useContactColumns } from './contact-columns';
import { ContactBar } from './contact-bar';
import { contactImport } from './contact-import';
import { ContactImportPanel } from './contact-import-panel';
import { ContactPanel } from './contact-panel';
import { Filters } from './filters';
import { GroupsPanel } from './groups-panel';
import { contactTexts } from './texts';
import { ALLOWED, queryOf, VIEW } from './view';

export function ContactsPage() {
  const t = useTexts(contactTexts);
  const c = useTexts(common);
  const [view, change] = useView(VIEW, ALLOWED);
  const [panel, setPanel] = useState<'add' | 'groups' | null>(null);
  const [importing, importPanel] = useDisclosure(false);
  const columns = useContactColumns();
  const query = queryOf(view);
  const [selection, select] = useSelection(query);
  const list = api.useInfiniteQuery(
    'get',
    '/messaging/contacts',
    { params: { query: { ...query, size: 100 } } },
    { ...PAGED, placeholderData: (before) => before },
  );
  const rows = list.data?.pages.flatMap(({ content }) => content) ?? [];
  const filtered = Object.values(view).some((value) => value !== '');
  const close = () => setPanel(null);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setPanel('add')}>
      {t('add')}
    </Button>
  );
  const actions = list.data !== undefined && (
    <>
      <Button variant="default" leftSection={<IconUsersGroup size={16} />} onClick={() => setPanel('groups')}>
        {t('groups')}
      </Button>
      <Button variant="default" leftSection={<IconFileImport size={16} />} onClick={importPanel.open}>
        {t('import')}
      </Button>
      <ExportButton
        name="contacts.csv"
        call={() => client.GET('/messaging/contacts/export', { parseAs: 'blob' })}
      />
      {add}
    </>
  );
  const clear = (
    <Button variant="default" onClick={() => change(VIEW)}>
      {c('clearFilters')}
    </Button>
  );
  return (
    <Page title={t('title')} subtitle={t('subtitle')} actions={actions}>
      {!importing && <CsvImportBanner of={contactImport} onOpen={importPanel.open} />}
      <Group gap="sm">
        <SearchField value={view.q} onChange={(q, step) => change({ q }, step)} label={t('search')} />
        <Filters view={view} change={change} />
      </Group>
      {selection.size > 0 && (
        <ContactBar
          contacts={rows.filter(({ id }) => selection.has(id))}
          selection={selection}
          select={select}
          matching={{
            loaded: rows.length,
            total: list.data?.pages[0]?.totalElements,
            ids: () => unwrap(client.GET('/messaging/contacts/ids', { params: { query } })),
          }}
        />
      )}
      <Result of={list}>
        {() => (
          <DataTable
            label={t('title')}
            name="contacts"
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            rowName={nameOf}
            selection={selection}
            onSelect={select}
            empty={
              filtered ? (
                <Empty
                  icon={IconSearch}
                  title={t('noneFound')}
                  text={`${t('noneFoundText')} ${t('searchHint')}`}
                  action={clear}
                />
              ) : (
                <Empty icon={IconAddressBook} title={t('emptyTitle')} text={t('emptyText')} action={add} />
              )
            }
          />
        )}
      </Result>
      {panel === 'add' && <ContactPanel onClose={close} />}
      {panel === 'groups' && (
        <GroupsPanel
          onClose={close}
          onShow={(id) => {
            change({ ...VIEW, groupId: String(id) });
            close();
          }}
        />
      )}
      {importing && <ContactImportPanel onClose={importPanel.close} />}
    </Page>
  );
}
