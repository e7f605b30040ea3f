import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const link = createRoute({
  getParentRoute: () => shell,
  path: '/links/$id',
  component: lazyRouteComponent(() => import('./link-page'), 'LinkPage'),
  staticData: { needs: 'getOrganizationShortUrl' },
});
