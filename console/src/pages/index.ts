import { IconLayoutDashboard, type Icon } from '@tabler/icons-react';
import { overview } from './overview/page';
import { signedIn, signIn } from './sign-in/page';

/** Pages for signed-in users. */
export const pages = [overview] as const;

/** Pages without the frame. */
export const ownRoutes = [signIn, signedIn] as const;

interface MenuItem {
  page: (typeof pages)[number];
  label: 'overview';
  icon: Icon;
}

export const menu: readonly {
  section: 'top' | 'reach' | 'people' | 'connect';
  items: readonly MenuItem[];
}[] = [{ section: 'top', items: [{ page: overview, label: 'overview', icon: IconLayoutDashboard }] }];
