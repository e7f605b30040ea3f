import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import { mayCall } from '../../api/may';
import { me } from '../../api/session';
import { useStore } from '../../api/store';
import { Page } from '../../kit/page';
import { TabList } from '../../kit/tab-list';
import { useView } from '../../kit/view';
import { useTexts } from '../../texts/texts';
import { Account } from './account';
import { AllowList } from './allow-list';
import { AuditLog } from './audit-log';
import { Keys } from './keys';
import { Organization } from './organization';
import { QrCodes } from './qr-codes';
import { SETTINGS } from './tabs';
import { settingsTexts } from './texts';
import { Users } from './users';

const CONTENTS: Record<(typeof SETTINGS)[number]['name'], ComponentType> = {
  account: Account,
  organization: Organization,
  qrCodes: QrCodes,
  users: Users,
  keys: Keys,
  allowList: AllowList,
  audit: AuditLog,
};
const VIEW = { tab: 'account' };

export function SettingsPage() {
  const t = useTexts(settingsTexts);
  const user = useStore(me);
  const [{ tab }, setView] = useView(VIEW);
  const open = SETTINGS.filter(({ needs }) => mayCall(user, needs));
  const chosen = open.find(({ name }) => name === tab) ?? open[0];
  return (
    <Page title={t('title')}>
      <Tabs
        value={chosen?.name ?? null}
        onChange={(name) => setView({ tab: name ?? VIEW.tab })}
        keepMounted={false}
      >
        <TabList>
          {open.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {t(name)}
            </Tabs.Tab>
          ))}
        </TabList>
        {open.map(({ name }) => {
          const Content = CONTENTS[name];
          return (
            <Tabs.Panel key={name} value={name}>
              <Content />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Page>
  );
}
