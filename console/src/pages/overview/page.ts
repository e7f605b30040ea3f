import { IconLayoutDashboard } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { shell } from '../../app/routes';
import { OverviewPage } from './overview-page';

export const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  // The first page of most visits is in the first script.
  component: OverviewPage,
  staticData: { menu: { section: 'top', label: 'overview', icon: IconLayoutDashboard } },
});
