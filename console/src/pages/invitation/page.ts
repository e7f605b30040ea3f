import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/routes';

export const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitations/$token',
  component: lazyRouteComponent(() => import('./invitation-page'), 'InvitationPage'),
});
