import { IconWorldWww } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const domains = createRoute({
  getParentRoute: () => shell,
  path: '/domains',
  component: lazyRouteComponent(() => import('./domains-page'), 'DomainsPage'),
  staticData: {
    menu: { section: 'connect', label: 'domains', icon: IconWorldWww },
    needs: 'listOrganizationCustomDomains',
  },
});

export const domain = createRoute({
  getParentRoute: () => shell,
  path: '/domains/$id',
  component: lazyRouteComponent(() => import('./domain-page'), 'DomainPage'),
});
