import { Badge, Button, Group, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { api, type Schemas } from '../../api/client';
import { May } from '../../api/may';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { TabList } from '../../kit/tab-list';
import { useView } from '../../kit/view';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { AppMenu } from './app-menu';
import { AppPanel } from './app-panel';
import { Associations } from './associations';
import { Installs } from './installs';
import { Setup } from './setup';
import { appTexts } from './texts';

export function AppPage() {
  const { id } = useParams({ from: '/shell/apps/$id' });
  const app = api.useQuery('get', '/mobile-apps/{id}', { params: { path: { id: Number(id) } } });
  return <Result of={app}>{(loaded) => <LoadedApp app={loaded} />}</Result>;
}

const VIEW = { tab: 'setup' };

function LoadedApp({ app }: { app: Schemas['AppResponse'] }) {
  const t = useTexts(appTexts);
  const c = useTexts(common);
  const [editing, edit] = useDisclosure(false);
  const [{ tab }, change] = useView(VIEW);
  const native = app.platform !== 'Web';
  return (
    <Page
      title={app.appName}
      subtitle={
        <Group gap="xs" mt={4}>
          <Badge variant="default">{app.platform}</Badge>
          {app.bundleId}
        </Group>
      }
      actions={
        <May call="updateOrganizationApp">
          <Button variant="default" leftSection={<IconPencil size={16} />} onClick={edit.open}>
            {c('edit')}
          </Button>
          <AppMenu app={app} />
        </May>
      }
    >
      <Tabs value={tab} onChange={(value) => change({ tab: value ?? VIEW.tab })} keepMounted={false}>
        <TabList>
          <Tabs.Tab value="setup">{t('tabSetup')}</Tabs.Tab>
          {native && <Tabs.Tab value="files">{t('tabFiles')}</Tabs.Tab>}
          <Tabs.Tab value="installs">{t('tabInstalls')}</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="setup">
          <Setup app={app} onFill={edit.open} />
        </Tabs.Panel>
        {native && (
          <Tabs.Panel value="files">
            <Associations app={app} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="installs">
          <Installs id={app.id} />
        </Tabs.Panel>
      </Tabs>
      {editing && <AppPanel app={app} onClose={edit.close} />}
    </Page>
  );
}
