import { IconLayoutDashboard } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { shell } from '../../app/routes';
import { OverviewPage } from './overview-page';

export const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  // Not lazy, because most visits start with this page.
  component: OverviewPage,
  staticData: { menu: { section: 'top', label: 'overview', icon: IconLayoutDashboard } },
});
