import { Alert, Stack, Tabs } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { api } from '../../../api/client';
import { me } from '../../../api/session';
import { useStore } from '../../../api/store';
import { Loading, Result } from '../../../kit/loading';
import { Page } from '../../../kit/page';
import { usePanels } from '../../../kit/panel-history';
import { TabList } from '../../../kit/tab-list';
import { useView } from '../../../kit/view';
import { formatAgo } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { QrTab } from '../../link/qr-tab';
import { linkTexts } from '../../links/texts';
import type { Campaign } from '../campaign';
import { CampaignPanel } from '../campaign-panel';
import { campaignTexts } from '../texts';
import { CampaignActions } from './campaign-actions';
import { Channels } from './channels';
import { ClickList } from './click-list';
import { Customers } from './customers';
import { Facts } from './facts';
import { SettingsTab } from './settings-tab';

const Statistics = lazy(async () => ({ default: (await import('./statistics')).Statistics }));
const Revenue = lazy(async () => ({ default: (await import('./revenue')).Revenue }));
const Installs = lazy(async () => ({ default: (await import('./installs')).Installs }));

const TABS = {
  statistics: Statistics,
  channels: Channels,
  customers: Customers,
  revenue: Revenue,
  installs: Installs,
  clickLog: ClickList,
  settings: SettingsTab,
  qr: ({ campaign }: { campaign: Campaign }) => <QrTab link={campaign} path="/campaigns/{id}/qr" />,
};
type Tab = keyof typeof TABS;

const VIEW = { tab: 'statistics' };
const PANELS = { edit: '' } as const;

export function CampaignPage() {
  const { id } = useParams({ from: '/shell/campaigns/$id' });
  const campaign = api.useQuery('get', '/campaigns/{id}', { params: { path: { id: Number(id) } } });
  return <Result of={campaign}>{(data) => <OneCampaign key={data.id} campaign={data} />}</Result>;
}

function OneCampaign({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignTexts);
  const user = useStore(me);
  const [view, change] = useView(VIEW);
  const [panels, show] = usePanels(PANELS);
  const edit = () => show({ edit: '1' });
  const mayViewRevenue = user?.permissions.includes('revenue.view') ?? false;
  const tabs = (Object.keys(TABS) as Tab[]).filter((tab) => tab !== 'revenue' || mayViewRevenue);
  const tab = tabs.find((each) => each === view.tab) ?? 'statistics';
  return (
    <Page
      title={campaign.name}
      subtitle={<Facts campaign={campaign} />}
      actions={<CampaignActions campaign={campaign} onEdit={edit} />}
    >
      <Notices campaign={campaign} />
      <Tabs value={tab} onChange={(next) => change({ tab: next ?? 'statistics' })} keepMounted={false}>
        <TabList>
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(each)}
            </Tabs.Tab>
          ))}
        </TabList>
        {tabs.map((each) => {
          const Content = TABS[each];
          return (
            <Tabs.Panel key={each} value={each}>
              <Suspense fallback={<Loading lines={8} />}>
                <Content campaign={campaign} onEdit={edit} />
              </Suspense>
            </Tabs.Panel>
          );
        })}
      </Tabs>
      <CampaignPanel shown={panels.edit === '' ? null : campaign.id} onClose={() => show({ edit: '' })} />
    </Page>
  );
}

/** Notices about an unusual state of the campaign. */
function Notices({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignTexts);
  const l = useTexts(linkTexts);
  const { disabledReason, enabled, healthProblem, healthCheckedAt } = campaign;
  if (disabledReason === null && enabled && healthProblem === null) return null;
  return (
    <Stack gap="xs">
      {disabledReason !== null && <Alert color="red">{t('blockedNotice', { reason: disabledReason })}</Alert>}
      {!enabled && <Alert color="gray">{t('offNotice')}</Alert>}
      {healthProblem !== null && (
        <Alert color="orange">
          {t('unhealthyNotice', { problem: l(healthProblem), when: formatAgo(healthCheckedAt) })}
        </Alert>
      )}
    </Stack>
  );
}
