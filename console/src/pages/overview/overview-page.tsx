import { Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Loading } from '../../kit/loading';
import { Page } from '../../kit/page';
import { TabList } from '../../kit/tab-list';
import { useView } from '../../kit/view';
import { menuTexts } from '../../texts/menu';
import { useTexts } from '../../texts/texts';
import { Now } from './now';
import { overviewTexts } from './texts';

const ClickStatistics = lazy(() =>
  import('../../plots/statistics/click-statistics').then((module) => ({ default: module.ClickStatistics })),
);

const VIEW = { tab: 'now' };

export function OverviewPage() {
  const t = useTexts(overviewTexts);
  const m = useTexts(menuTexts);
  const [{ tab }, change] = useView(VIEW);
  return (
    <Page title={m('overview')}>
      <Tabs
        value={tab === 'statistics' ? tab : 'now'}
        onChange={(chosen) => change({ tab: chosen ?? 'now' })}
        keepMounted={false}
      >
        <TabList>
          <Tabs.Tab value="now">{t('now')}</Tabs.Tab>
          <Tabs.Tab value="statistics">{t('statistics')}</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="now">
          <Now />
        </Tabs.Panel>
        <Tabs.Panel value="statistics">
          <Suspense fallback={<Loading />}>
            <ClickStatistics scope={{}} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
