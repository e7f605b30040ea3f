import { Badge, Button, Code, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDeviceMobile, IconPlus, IconSearchOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, PAGED, type Schemas } from '../../api/client';
import { May } from '../../api/may';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { RouteLink } from '../../kit/route-link';
import { SearchField } from '../../kit/search-field';
import { useView } from '../../kit/view';
import { useTexts } from '../../texts/texts';
import { AppPanel } from './app-panel';
import { AppState } from './app-state';
import { appTexts } from './texts';

type App = Schemas['AppResponse'];
const VIEW = { search: '' };

export function AppsPage() {
  const t = useTexts(appTexts);
  const navigate = useNavigate();
  const [adding, panel] = useDisclosure(false);
  const [{ search }, change] = useView(VIEW);
  const query = { size: 50, ...(search && { search }) };
  const list = api.useInfiniteQuery('get', '/mobile-apps', { params: { query } }, PAGED);
  const columns = useMemo<Column<App>[]>(
    () => [
      {
        key: 'name',
        title: t('appName'),
        cell: ({ id, appName }) => (
          <RouteLink to="/apps/$id" params={{ id: String(id) }} size="sm" fw={600}>
            {appName}
          </RouteLink>
        ),
      },
      {
        key: 'platform',
        title: t('platform'),
        folds: true,
        cell: ({ platform }) => <Badge variant="default">{platform}</Badge>,
        width: 110,
      },
      {
        key: 'bundle',
        title: t('bundleId'),
        from: 'sm',
        cell: ({ bundleId }) => bundleId && <Code style={{ overflowWrap: 'anywhere' }}>{bundleId}</Code>,
      },
      { key: 'path', title: t('path'), from: 'md', cell: ({ path }) => <Code>/{path}</Code>, width: 130 },
      { key: 'state', title: t('state'), cell: (app) => <AppState of={app} />, width: 180 },
    ],
    [t],
  );
  const add = (
    <May call="createOrganizationApp">
      <Button leftSection={<IconPlus size={16} />} onClick={panel.open}>
        {t('add')}
      </Button>
    </May>
  );
  const empty = search ? (
    <Empty icon={IconSearchOff} title={t('noneFound')} text={t('noneFoundText')} />
  ) : (
    <Empty icon={IconDeviceMobile} title={t('emptyTitle')} text={t('emptyText')} action={add} />
  );
  return (
    <Page title={t('title')} subtitle={t('subtitle')} actions={add}>
      <Group>
        <SearchField
          value={search}
          onChange={(text, step) => change({ search: text }, step)}
          label={t('search')}
        />
      </Group>
      <Result of={list}>
        {() => (
          <DataTable label={t('title')} list={list} columns={columns} rowKey={({ id }) => id} empty={empty} />
        )}
      </Result>
      {adding && (
        <AppPanel
          onClose={panel.close}
          onDone={({ id }) => void navigate({ to: '/apps/$id', params: { id: String(id) } })}
        />
      )}
    </Page>
  );
}
