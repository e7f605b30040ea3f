import { Group, Select, Stack, Tabs } from '@mantine/core';
import { IconApps } from '@tabler/icons-react';
import type { OperationId } from '../../api/access.gen';
import { May, mayCall } from '../../api/may';
import { me } from '../../api/session';
import { useStore } from '../../api/store';
import { listOrganizationSessionsOfApps_platform } from '../../api/values.gen';
import { Empty } from '../../kit/empty';
import { Page } from '../../kit/page';
import { RouteButton } from '../../kit/route-link';
import { TabList } from '../../kit/tab-list';
import { useView } from '../../kit/view';
import { FileDetails, fileDetails } from '../../plots/file-details';
import { RangePicker } from '../../plots/range-picker';
import { useTexts } from '../../texts/texts';
import { AppSelect } from './app-select';
import { ConversionsTab } from './conversions';
import { EventLog } from './event-log';
import { RevenueTab } from './revenue';
import { Sessions } from './sessions';
import { Hidden } from './shown';
import { SourceSelect } from './source-select';
import { journeyTexts } from './texts';
import { type JourneysView, useJourneysView } from './use-journeys-view';
import { Visitors } from './visitors';

const VIEW = { tab: 'conversions' };
const TABS = ['conversions', 'revenue', 'activity', 'sessions'] as const;
type Tab = (typeof TABS)[number];

/** Operations of each tab, of which the user must have access to at least one. */
const NEEDS: Record<Tab, readonly OperationId[]> = {
  conversions: ['getOrganizationConversions'],
  revenue: ['getOrganizationRevenue'],
  activity: ['getOrganizationDailyVisitors', 'getOrganizationEventLog'],
  sessions: ['listOrganizationSessionsOfApps'],
};

/** Whether each tab supports all apps, filters and comparisons. */
const CAN = {
  conversions: { noApps: false, filters: true, comparisons: true },
  revenue: { noApps: false, filters: true, comparisons: true },
  activity: { noApps: true, filters: false, comparisons: false },
  sessions: { noApps: true, filters: true, comparisons: false },
} as const;

export function JourneysPage() {
  const t = useTexts(journeyTexts);
  const view = useJourneysView();
  const [{ tab: wanted }, setTab] = useView(VIEW);
  const user = useStore(me);
  const tabs = TABS.filter((each) => NEEDS[each].some((call) => mayCall(user, call)));
  const tab = tabs.find((each) => each === wanted) ?? tabs[0] ?? null;
  return (
    <Page title={t('title')} subtitle={t('subtitle')}>
      {tabs.length === 0 && <Hidden>{t('nothingAllowed')}</Hidden>}
      <Tabs value={tab} onChange={(chosen) => setTab({ tab: chosen ?? VIEW.tab })} keepMounted={false}>
        <TabList>
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`tab_${each}`)}
            </Tabs.Tab>
          ))}
        </TabList>
        {tabs.map((each) => (
          <Tabs.Panel key={each} value={each}>
            {view.noApps && !CAN[each].noApps ? (
              <Empty
                icon={IconApps}
                title={t('noApps')}
                text={t('noAppsText')}
                action={<RouteButton to="/apps">{t('toApps')}</RouteButton>}
              />
            ) : (
              <Stack gap="md">
                <Filters view={view} tab={each} />
                <FileDetails value={detailsOf(view)}>
                  <Content view={view} tab={each} />
                </FileDetails>
              </Stack>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

function detailsOf({ range, chosen, appId }: JourneysView): string {
  const { platform, source } = chosen;
  const filters = Object.entries({ app: String(appId ?? ''), platform, source })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`);
  return fileDetails(range.days, filters);
}

interface Props {
  view: JourneysView;
  tab: Tab;
}

function Filters({ view, tab }: Props) {
  const t = useTexts(journeyTexts);
  const { appId, platform, source, range, change, chooseApp } = view;
  const { filters, comparisons } = CAN[tab];
  return (
    <Group justify="space-between" align="flex-start">
      <Group gap="xs" flex={{ base: '1 0 100%', md: 1 }}>
        <AppSelect value={appId} onChange={chooseApp} />
        {filters && (
          <>
            <Select
              aria-label={t('platform')}
              placeholder={t('allPlatforms')}
              clearable
              w={{ base: 'calc(50% - 5px)', xs: 160 }}
              data={listOrganizationSessionsOfApps_platform.map((value) => ({ value, label: t(value) }))}
              value={platform}
              onChange={(chosen) => change({ platform: chosen ?? '' })}
            />
            <SourceSelect
              value={source}
              types={tab === 'conversions'}
              onChange={(chosen) => change({ source: chosen })}
            />
          </>
        )}
      </Group>
      <RangePicker view={range} intervals={false} comparisons={comparisons} />
    </Group>
  );
}

function Content({ view, tab }: Props) {
  switch (tab) {
    case 'conversions':
      return <ConversionsTab view={view} />;
    case 'revenue':
      return <RevenueTab view={view} />;
    case 'sessions':
      return <Sessions view={view} />;
    case 'activity':
      return (
        <Stack gap="xl">
          <May call="getOrganizationDailyVisitors">
            <Visitors view={view} />
          </May>
          <May call="getOrganizationEventLog">
            <EventLog view={view} />
          </May>
        </Stack>
      );
  }
}
