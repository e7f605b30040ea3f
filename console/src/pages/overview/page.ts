import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./overview-page'), 'OverviewPage'),
});
