import { Button, Group } from '@mantine/core';
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { api, PAGED } from '../../api/client';
import { May } from '../../api/may';
import { DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { usePanels } from '../../kit/panel-history';
import { SearchField } from '../../kit/search-field';
import { questionsOf, useConversions } from '../../kit/use-conversions';
import { sortedBy, useView } from '../../kit/view';
import { common } from '../../texts/common';
import { menuTexts } from '../../texts/menu';
import { useTexts } from '../../texts/texts';
import { Filters } from '../links/filters';
import { ALLOWED, filtersOf, LIST_VIEW, listQuery, NO_FILTERS } from '../links/view';
import { CampaignPanel } from './campaign-panel';
import { useCampaignColumns } from './columns';
import { campaignTexts } from './texts';

const PANELS = { new: '', edit: '' } as const;
const PAGE_SIZE = 50;
const CHECKS = {
  ...ALLOWED,
  sort: sortedBy('createdAt', 'updatedAt', 'expiresAt', 'clickCount', 'alias', 'name'),
};

export function CampaignsPage() {
  const t = useTexts(campaignTexts);
  const c = useTexts(common);
  const m = useTexts(menuTexts);
  const [view, change] = useView(LIST_VIEW, CHECKS);
  const [panels, show] = usePanels(PANELS);
  const query = useMemo(() => ({ ...listQuery(view), size: PAGE_SIZE }), [view]);
  const list = api.useInfiniteQuery('get', '/campaigns', { params: { query } }, PAGED);
  const edit = useCallback((id: number) => show({ edit: String(id) }), [show]);
  const questions = useMemo(() => questionsOf('campaign', list.data?.pages), [list.data]);
  const columns = useCampaignColumns(edit, useConversions(questions));
  const filtered = view.keyword !== '' || filtersOf(view).length > 0;
  const create = (
    <May call="createOrganizationCampaign">
      <Button leftSection={<IconPlus size={16} />} onClick={() => show({ new: '1' })}>
        {t('create')}
      </Button>
    </May>
  );
  return (
    <Page title={m('campaigns')} subtitle={t('subtitle')} actions={create}>
      <Group gap="xs">
        <SearchField
          label={t('search')}
          value={view.keyword}
          onChange={(keyword, step) => change({ keyword }, step)}
        />
        <Filters view={view} change={change} />
      </Group>
      <Result of={list} lines={8}>
        {() => (
          <DataTable
            label={m('campaigns')}
            name="campaigns"
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            sort={view.sort}
            onSort={(sort) => change({ sort })}
            empty={
              filtered ? (
                <Empty
                  icon={IconSpeakerphone}
                  title={t('nothingFound')}
                  text={t('nothingFoundText')}
                  action={
                    <Button variant="default" onClick={() => change(NO_FILTERS)}>
                      {c('clearFilters')}
                    </Button>
                  }
                />
              ) : (
                <Empty icon={IconSpeakerphone} title={t('empty')} text={t('emptyText')} action={create} />
              )
            }
          />
        )}
      </Result>
      <CampaignPanel
        shown={panels.new !== '' ? 'new' : panels.edit === '' ? null : Number(panels.edit)}
        onClose={() => show({ new: '', edit: '' })}
      />
    </Page>
  );
}
