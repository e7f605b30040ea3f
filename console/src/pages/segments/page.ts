import { IconUsersGroup } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const segments = createRoute({
  getParentRoute: () => shell,
  path: '/segments',
  component: lazyRouteComponent(() => import('./segments-page'), 'SegmentsPage'),
  staticData: {
    menu: { section: 'people', label: 'segments', icon: IconUsersGroup },
    needs: 'listOrganizationSegments',
  },
});

export const segment = createRoute({
  getParentRoute: () => shell,
  path: '/segments/$id',
  component: lazyRouteComponent(() => import('./segment-page'), 'SegmentPage'),
});
