import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import {
  IconBook,
  IconDeviceDesktop,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSun,
} from '@tabler/icons-react';
import { client } from '../api/client';
import { me } from '../api/session';
import { useStore } from '../api/store';
import { showError } from '../kit/toasts';
import { common } from '../texts/common';
import { LANGUAGES, setLanguage, useTexts, type Language } from '../texts/texts';

const SCHEMES = [
  ['light', IconSun, 'light'],
  ['dark', IconMoon, 'dark'],
  ['auto', IconDeviceDesktop, 'system'],
] as const;

export function AccountMenu() {
  const t = useTexts(common);
  const user = useStore(me);
  const { setColorScheme } = useMantineColorScheme();
  if (!user) return null;
  const shownName = user.name ?? user.username;
  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <UnstyledButton>
          <Avatar radius="xl" color="waypost" name={shownName} aria-hidden />
          <VisuallyHidden>{t('account')}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate>
            {shownName}
          </Text>
          <Text size="xs" truncate>
            {user.organizationName} · {user.role}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <Menu.Item
            key={code}
            leftSection={<IconLanguage size={16} />}
            onClick={() => void setLanguage(code as Language)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('appearance')}</Menu.Label>
        {SCHEMES.map(([scheme, Icon, label]) => (
          <Menu.Item key={scheme} leftSection={<Icon size={16} />} onClick={() => setColorScheme(scheme)}>
            {t(label)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          component="a"
          href="/api/docs"
          target="_blank"
          rel="noopener"
          leftSection={<IconBook size={16} />}
        >
          {t('apiDocs')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Ends the session, here and, if possible, at the identity provider. */
async function signOut(): Promise<void> {
  const { data, error } = await client.POST('/api/v1/console/logout');
  if (error) showError(error);
  else location.assign(data.signOutUrl ?? '/console/sign-in');
}
