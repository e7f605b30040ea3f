import { IconSpeakerphone } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const campaigns = createRoute({
  getParentRoute: () => shell,
  path: '/campaigns',
  component: lazyRouteComponent(() => import('./campaigns-page'), 'CampaignsPage'),
  staticData: {
    menu: { section: 'reach', label: 'campaigns', icon: IconSpeakerphone },
    needs: 'listOrganizationCampaigns',
  },
});

export const campaign = createRoute({
  getParentRoute: () => shell,
  path: '/campaigns/$id',
  component: lazyRouteComponent(() => import('./campaign/campaign-page'), 'CampaignPage'),
});
