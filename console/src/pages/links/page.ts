import { IconLink } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const links = createRoute({
  getParentRoute: () => shell,
  path: '/links',
  component: lazyRouteComponent(() => import('./links-page'), 'LinksPage'),
  staticData: {
    menu: { section: 'reach', label: 'links', icon: IconLink },
    needs: 'listOrganizationShortUrls',
  },
});
