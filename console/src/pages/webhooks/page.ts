import { IconWebhook } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks-page'), 'WebhooksPage'),
  staticData: {
    menu: { section: 'connect', label: 'webhooks', icon: IconWebhook },
    needs: 'listOrganizationWebhooks',
  },
});

export const webhook = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('./webhook-page'), 'WebhookPage'),
});
