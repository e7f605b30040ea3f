import { Button, Group } from '@mantine/core';
import { IconLink, IconPlus, IconUpload } from '@tabler/icons-react';
import { useMemo } from 'react';
import { api, client, PAGED } from '../../api/client';
import { May, useMay } from '../../api/may';
import { CsvImportBanner } from '../../kit/csv-import/csv-import-banner';
import { DataTable } from '../../kit/data-table';
import { ExportButton } from '../../kit/download';
import { Empty } from '../../kit/empty';
import { unwrap } from '../../kit/form';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { usePanels } from '../../kit/panel-history';
import { SearchField } from '../../kit/search-field';
import { SelectMatching, useSelection } from '../../kit/selection';
import { questionsOf, useConversions } from '../../kit/use-conversions';
import { useView } from '../../kit/view';
import { fileName } from '../../plots/save';
import { common } from '../../texts/common';
import { menuTexts } from '../../texts/menu';
import { useTexts } from '../../texts/texts';
import { BulkBar } from './bulk-bar';
import { Filters } from './filters';
import { addressOf } from './link';
import { useLinkColumns } from './link-columns';
import { linkImport } from './link-import';
import { LinkImportPanel } from './link-import-panel';
import { LinkPanel } from './link-panel';
import { linkTexts } from './texts';
import { ALLOWED, detailsOf, filtersOf, LIST_VIEW, listQuery, NO_FILTERS } from './view';

const PANELS = { new: '', edit: '', import: '' } as const;
const PAGE_SIZE = 100;

export function LinksPage() {
  const t = useTexts(linkTexts);
  const c = useTexts(common);
  const m = useTexts(menuTexts);
  const [view, change] = useView(LIST_VIEW, ALLOWED);
  const [panels, show] = usePanels(PANELS);
  const mayEdit = useMay('changeOrganizationShortUrls');
  const query = useMemo(() => ({ ...listQuery(view), size: PAGE_SIZE }), [view]);
  const list = api.useInfiniteQuery('get', '/urls', { params: { query } }, PAGED);
  const [selection, select] = useSelection({ ...query, sort: undefined });
  const questions = useMemo(() => questionsOf('link', list.data?.pages), [list.data]);
  const columns = useLinkColumns(view, change, (id) => show({ edit: String(id) }), useConversions(questions));
  const mayImport = useMay('importOrganizationShortUrls');
  const importing = panels.import !== '' && mayImport;
  const filtered = view.keyword !== '' || filtersOf(view).length > 0;
  const rows = list.data?.pages.flatMap(({ content }) => content) ?? [];
  const make = (
    <May call="createOrganizationShortUrl">
      <Button leftSection={<IconPlus size={16} />} onClick={() => show({ new: '1' })}>
        {t('create')}
      </Button>
    </May>
  );
  return (
    <Page
      title={m('links')}
      actions={
        <>
          <May call="importOrganizationShortUrls">
            <Button
              variant="default"
              leftSection={<IconUpload size={16} />}
              onClick={() => show({ import: '1' })}
            >
              {t('import')}
            </Button>
          </May>
          <ExportButton
            name={`${fileName(`links ${detailsOf(view)}`)}.csv`}
            call={() => client.GET('/urls/export', { params: { query: listQuery(view) }, parseAs: 'blob' })}
          />
          {make}
        </>
      }
    >
      {!importing && <CsvImportBanner of={linkImport} onOpen={() => show({ import: '1' })} />}
      <Group gap="xs">
        <SearchField
          label={t('search')}
          value={view.keyword}
          onChange={(keyword, step) => change({ keyword }, step)}
        />
        <Filters view={view} change={change} />
      </Group>
      {selection.size > 0 && (
        <BulkBar
          links={rows.filter(({ id }) => selection.has(id))}
          selection={selection}
          select={select}
          others={
            <SelectMatching
              loaded={rows.length}
              total={list.data?.pages[0]?.totalElements}
              selection={selection}
              select={select}
              ids={() => unwrap(client.GET('/urls/ids', { params: { query: listQuery(view) } }))}
            />
          }
        />
      )}
      <Result of={list} lines={8}>
        {() => (
          <DataTable
            label={m('links')}
            name="links"
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            rowName={addressOf}
            sort={view.sort}
            onSort={(sort) => change({ sort })}
            {...(mayEdit && { selection, onSelect: select })}
            empty={
              filtered ? (
                <Empty
                  icon={IconLink}
                  title={t('nothingFound')}
                  text={t('nothingFoundText')}
                  action={
                    <Button variant="default" onClick={() => change(NO_FILTERS)}>
                      {c('clearFilters')}
                    </Button>
                  }
                />
              ) : (
                <Empty icon={IconLink} title={t('empty')} text={t('emptyText')} action={make} />
              )
            }
          />
        )}
      </Result>
      <LinkPanel
        shown={panels.new !== '' ? 'new' : panels.edit === '' ? null : Number(panels.edit)}
        copyOf={panels.new.startsWith('copy-') ? Number(panels.new.slice('copy-'.length)) : undefined}
        onClose={() => show({ new: '', edit: '' })}
      />
      {importing && (
        <LinkImportPanel
          onClose={() => show({ import: '' })}
          onShow={() => {
            show({ import: '' });
            // Imported links keep their creation dates, so the default order would not show them first.
            change({ ...NO_FILTERS, archived: 'all', sort: 'updatedAt,desc' });
          }}
        />
      )}
    </Page>
  );
}
