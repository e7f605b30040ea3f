import { AppShell, Burger, Group, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { sessionEnded } from '../api/session';
import { useStore } from '../api/store';
import { Loading } from '../kit/loading';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { AccountMenu } from './account-menu';
import { Brand } from './brand';
import { Navigation, ParentLink } from './navigation';
import { SearchEverything } from './search/search-everything';

const SignInAgain = lazy(() => import('./sign-in-again').then((module) => ({ default: module.SignInAgain })));

/** Header, menu and current page for a signed-in user. */
export function Shell() {
  const t = useTexts(common);
  const ended = useStore(sessionEnded);
  const [opened, menu] = useDisclosure(false);
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  const { close } = menu;
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    close();
    // Moves screen readers to the content.
    main.current?.focus({ preventScroll: true });
  }, [pathname, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a className="skip-link" href="#main" onClick={() => main.current?.focus()}>
        {t('skipToContent')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="sm">
            <Burger
              opened={opened}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('menu')}
              aria-expanded={opened}
            />
            <Link to="/" aria-label="Waypost" style={{ color: 'inherit', textDecoration: 'none' }}>
              <Brand />
            </Link>
          </Group>
          <Group wrap="nowrap" gap="xs">
            <SearchEverything />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('menu')}>
        <ScrollArea>
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1}>
        <ParentLink />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      {ended && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
    </AppShell>
  );
}
