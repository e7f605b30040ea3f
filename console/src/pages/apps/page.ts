import { IconDeviceMobile } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const apps = createRoute({
  getParentRoute: () => shell,
  path: '/apps',
  component: lazyRouteComponent(() => import('./apps-page'), 'AppsPage'),
  staticData: {
    menu: { section: 'connect', label: 'apps', icon: IconDeviceMobile },
    needs: 'listOrganizationApps',
  },
});

export const app = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$id',
  component: lazyRouteComponent(() => import('./app-page'), 'AppPage'),
});
