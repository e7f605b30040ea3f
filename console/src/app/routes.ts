import type { Icon } from '@tabler/icons-react';
import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { api, client, queries } from '../api/client';
import { me } from '../api/session';
import type { MenuLabel } from '../texts/menu';
import type { OperationId } from '../api/access.gen';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Position in the menu; pages without one are reached from others. */
    menu?: { section: Section; label: MenuLabel; icon: Icon };
    /** The operation that the page needs; the menu hides it from users who may not call it. */
    needs?: OperationId;
  }
}

/** Sections of the menu, in order. */
export const SECTIONS = ['top', 'reach', 'people', 'connect'] as const;
export type Section = (typeof SECTIONS)[number];

/** State of a page in the URL, such as filters, range and tab, as texts. */
export type View = Record<string, string | undefined>;

/** Parent of all routes. `router.ts` sets its component, and that of `shell`, because they depend on the pages. */
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
    if (!data) throw redirect({ to: '/sign-in', search: { returnTo: location.href } });
    me.set(data);
    // Loaded first, so that statistics do not suspend: React shows a fallback for at least 300 ms.
    const { data: organization } = await client.GET('/');
    if (organization) queries.setQueryData(api.queryOptions('get', '/').queryKey, organization);
  },
});
