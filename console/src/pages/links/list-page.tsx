import { Button, Group } from '@mantine/core';
import { type Icon, IconPlus, IconUpload } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo } from 'react';
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
import { useSelection } from '../../kit/selection';
import { questionsOf, useConversions } from '../../kit/use-conversions';
import { useView } from '../../kit/view';
import { fileName } from '../../plots/save';
import { common } from '../../texts/common';
import { menuTexts } from '../../texts/menu';
import { useTexts } from '../../texts/texts';
import { BulkBar } from './bulk-bar';
import { Filters } from './filters';
import { calledOf, type Kind, KINDS, type TrackedLink } from './kinds';
import { useLinkColumns } from './link-columns';
import { LINK_IMPORTS } from './link-import';
import { LinkImportPanel } from './link-import-panel';
import { linkTexts } from './texts';
import { ALLOWED, detailsOf, filtersOf, LIST_VIEW, listQuery, NO_FILTERS } from './view';

const PANELS = { new: '', edit: '', import: '' } as const;
const PAGE_SIZE = 100;

interface FormProps {
  /** The id of what is edited, `new`, or null. */
  shown: number | 'new' | null;
  copyOf: number | undefined;
  onClose: () => void;
}

interface Props {
  kind: Kind;
  icon: Icon;
  subtitle?: string;
  form: (props: FormProps) => ReactNode;
}

/** The list of links or campaigns: search, filters, changes of many, import and export. */
export function ListPage({ kind, icon, subtitle, form }: Props) {
  const t = useTexts(linkTexts);
  const c = useTexts(common);
  const m = useTexts(menuTexts);
  const { path, calls, menu } = KINDS[kind];
  const context = kind;
  const [view, change] = useView(LIST_VIEW, ALLOWED[kind]);
  const [panels, show] = usePanels(PANELS);
  const mayEdit = useMay(`changeOrganization${calls}s`);
  const query = useMemo(() => ({ ...listQuery(view), size: PAGE_SIZE }), [view]);
  const list = api.useInfiniteQuery('get', path, { params: { query } }, PAGED);
  const [selection, select] = useSelection({ ...query, sort: undefined });
  const questions = useMemo(() => questionsOf(kind, list.data?.pages), [kind, list.data]);
  const conversions = useConversions(questions);
  const edit = useCallback((id: number) => show({ edit: String(id) }), [show]);
  const columns = useLinkColumns({ kind, view, change, edit, conversions });
  const mayImport = useMay(`importOrganization${calls}s`);
  const importing = panels.import !== '' && mayImport;
  const filtered = view.keyword !== '' || filtersOf(view).length > 0;
  const rows = list.data?.pages.flatMap<TrackedLink>(({ content }) => content) ?? [];
  const make = (
    <May call={`createOrganization${calls}`}>
      <Button leftSection={<IconPlus size={16} />} onClick={() => show({ new: '1' })}>
        {t('create', { context })}
      </Button>
    </May>
  );
  return (
    <Page
      title={m(menu)}
      subtitle={subtitle}
      actions={
        <>
          {mayImport && (
            <Button
              variant="default"
              leftSection={<IconUpload size={16} />}
              onClick={() => show({ import: '1' })}
            >
              {t('import')}
            </Button>
          )}
          <ExportButton
            name={`${fileName(`${menu} ${detailsOf(view)}`)}.csv`}
            call={() => client.GET(`${path}/export`, { params: { query: listQuery(view) }, parseAs: 'blob' })}
          />
          {make}
        </>
      }
    >
      {!importing && <CsvImportBanner of={LINK_IMPORTS[kind]} onOpen={() => show({ import: '1' })} />}
      <Group gap="xs">
        <SearchField
          label={t('search', { context })}
          value={view.keyword}
          onChange={(keyword, step) => change({ keyword }, step)}
        />
        <Filters view={view} change={change} />
      </Group>
      {selection.size > 0 && (
        <BulkBar
          kind={kind}
          links={rows.filter(({ id }) => selection.has(id))}
          selection={selection}
          select={select}
          matching={{
            loaded: rows.length,
            total: list.data?.pages[0]?.totalElements,
            ids: () => unwrap(client.GET(`${path}/ids`, { params: { query: listQuery(view) } })),
          }}
        />
      )}
      <Result of={list} lines={8}>
        {() => (
          <DataTable
            label={m(menu)}
            name={menu}
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            rowName={calledOf}
            sort={view.sort}
            onSort={(sort) => change({ sort })}
            {...(mayEdit && { selection, onSelect: select })}
            empty={
              filtered ? (
                <Empty
                  icon={icon}
                  title={t('nothingFound', { context })}
                  text={t('nothingFoundText')}
                  action={
                    <Button variant="default" onClick={() => change(NO_FILTERS)}>
                      {c('clearFilters')}
                    </Button>
                  }
                />
              ) : (
                <Empty
                  icon={icon}
                  title={t('empty', { context })}
                  text={t('emptyText', { context })}
                  action={make}
                />
              )
            }
          />
        )}
      </Result>
      {form({
        shown: panels.new !== '' ? 'new' : panels.edit === '' ? null : Number(panels.edit),
        copyOf: panels.new.startsWith('copy-') ? Number(panels.new.slice('copy-'.length)) : undefined,
        onClose: () => show({ new: '', edit: '' }),
      })}
      {importing && (
        <LinkImportPanel
          kind={kind}
          onClose={() => show({ import: '' })}
          onShow={() => {
            show({ import: '' });
            // What is imported keeps its creation date, so the default order would not show it first.
            change({ ...NO_FILTERS, archived: 'all', sort: 'updatedAt,desc' });
          }}
        />
      )}
    </Page>
  );
}
