import { Tabs } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { api } from '../../api/client';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { usePanels } from '../../kit/panel-history';
import { TabList } from '../../kit/tab-list';
import { useView } from '../../kit/view';
import { useTexts } from '../../texts/texts';
import { addressOf, type Link } from '../links/link';
import { LinkPanel } from '../links/link-panel';
import { RecentClicks } from './clicks/recent-clicks';
import { Facts } from './facts';
import { LinkActions } from './link-actions';
import { QrTab } from './qr-tab';
import { SettingsTab } from './settings-tab';
import { Statistics } from './statistics/statistics';
import { linkPageTexts } from './texts';

const TABS = ['statistics', 'recentClicks', 'settings', 'qr'] as const;
const VIEW = { tab: 'statistics' };
const PANELS = { edit: '' } as const;

export function LinkPage() {
  const { id } = useParams({ from: '/shell/links/$id' });
  const link = api.useQuery('get', '/urls/{id}', { params: { path: { id: Number(id) } } });
  return <Result of={link}>{(data) => <OneLink key={data.id} link={data} />}</Result>;
}

function OneLink({ link }: { link: Link }) {
  const t = useTexts(linkPageTexts);
  const [view, change] = useView(VIEW);
  const [panels, show] = usePanels(PANELS);
  const tab = TABS.find((each) => each === view.tab) ?? 'statistics';
  return (
    <Page
      title={link.title ?? addressOf(link)}
      subtitle={<Facts link={link} />}
      actions={<LinkActions link={link} onEdit={() => show({ edit: '1' })} />}
    >
      <Tabs value={tab} onChange={(next) => change({ tab: next ?? 'statistics' })} keepMounted={false}>
        <TabList>
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(each)}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value="statistics">
          <Statistics link={link} />
        </Tabs.Panel>
        <Tabs.Panel value="recentClicks">
          <RecentClicks link={link} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsTab link={link} onEdit={() => show({ edit: '1' })} />
        </Tabs.Panel>
        <Tabs.Panel value="qr">
          <QrTab link={link} />
        </Tabs.Panel>
      </Tabs>
      <LinkPanel shown={panels.edit === '' ? null : link.id} onClose={() => show({ edit: '' })} />
    </Page>
  );
}
