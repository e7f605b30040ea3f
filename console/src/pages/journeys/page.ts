import { IconRoute } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const journeys = createRoute({
  getParentRoute: () => shell,
  path: '/journeys',
  component: lazyRouteComponent(() => import('./journeys-page'), 'JourneysPage'),
  staticData: {
    menu: { section: 'reach', label: 'journeys', icon: IconRoute },
  },
});

export const journey = createRoute({
  getParentRoute: () => shell,
  path: '/journeys/$sessionId',
  component: lazyRouteComponent(() => import('./session-page'), 'SessionPage'),
  staticData: { needs: 'getOrganizationSessionPath' },
});
