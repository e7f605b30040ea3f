import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../app/routes';

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./sign-in-page'), 'SignInPage'),
});

/** Last page of the identity provider's sign-in in a pop-up window. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  path: '/signed-in',
  component: lazyRouteComponent(() => import('./signed-in-page'), 'SignedInPage'),
});
