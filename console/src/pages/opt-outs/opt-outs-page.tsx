import { Tabs } from '@mantine/core';
import { Page } from '../../kit/page';
import { TabList } from '../../kit/tab-list';
import { useView } from '../../kit/view';
import { useTexts } from '../../texts/texts';
import { OptOutLinks } from './opt-out-links';
import { OptOutList } from './opt-out-list';
import { optOutTexts } from './texts';

const VIEW = { tab: 'list' };

export function OptOutsPage() {
  const t = useTexts(optOutTexts);
  const [{ tab }, change] = useView(VIEW);
  return (
    <Page title={t('title')} subtitle={t('subtitle')}>
      <Tabs value={tab} onChange={(value) => change({ tab: value ?? VIEW.tab })} keepMounted={false}>
        <TabList>
          <Tabs.Tab value="list">{t('list')}</Tabs.Tab>
          <Tabs.Tab value="links">{t('links')}</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="list">
          <OptOutList />
        </Tabs.Panel>
        <Tabs.Panel value="links">
          <OptOutLinks />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
