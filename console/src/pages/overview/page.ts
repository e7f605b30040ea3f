import { IconLayoutDashboard } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./overview-page'), 'OverviewPage'),
  staticData: { menu: { section: 'top', label: 'overview', icon: IconLayoutDashboard } },
});
