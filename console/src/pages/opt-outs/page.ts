import { IconBellOff } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const optOuts = createRoute({
  getParentRoute: () => shell,
  path: '/opt-outs',
  component: lazyRouteComponent(() => import('./opt-outs-page'), 'OptOutsPage'),
  staticData: {
    menu: { section: 'people', label: 'optOuts', icon: IconBellOff },
    needs: 'listOrganizationUnsubscribes',
  },
});
