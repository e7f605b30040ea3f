import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { client } from '../api/client';
import { me } from '../api/session';
import type { OperationId } from '../api/roles.gen';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The operation that the page needs; users who may not call it do not see it in the menu. */
    needs?: OperationId;
  }
}

/** The routes that pages hang on; `router.ts` gives them their components, which know the pages. */

/** State of a page that stands in its address: filters, range, tab. Every value is a text. */
export type View = Record<string, string | undefined>;

export const root = createRootRoute({
  validateSearch: (search: View): View => search,
});

/** The frame of every page for signed-in users. */
export const shell = createRoute({
  id: 'shell',
  getParentRoute: () => root,
  beforeLoad: async ({ location }) => {
    if (me.get()) return;
    const { data } = await client.GET('/api/v1/console/me');
    if (data) me.set(data);
    else throw redirect({ to: '/sign-in', search: { returnTo: location.href } });
  },
});
