import type { Icon } from '@tabler/icons-react';
import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { api, client, queries } from '../api/client';
import { me } from '../api/session';
import type { MenuLabel } from '../texts/menu';
import type { OperationId } from '../api/access.gen';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Its place in the menu; pages without one are reached from others. */
    menu?: { section: Section; label: MenuLabel; icon: Icon };
    /** The operation that the page needs; users who may not call it do not see it in the menu. */
    needs?: OperationId;
  }
}

/** Sections of the menu, in order. */
export const SECTIONS = ['top', 'reach', 'people', 'connect'] as const;
export type Section = (typeof SECTIONS)[number];

/** State of a page that stands in its address: filters, range, tab. Every value is a text. */
export type View = Record<string, string | undefined>;

/** What every page hangs on; `router.ts` gives it and `shell` their components, which know the pages. */
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
    // With the time zone at hand, statistics do not suspend: React shows what stands for them for 300 ms at least.
    const { data: organization } = await client.GET('/');
    if (organization) queries.setQueryData(api.queryOptions('get', '/').queryKey, organization);
  },
});
