import { createRoute, createRouter } from '@tanstack/react-router';
import { createPanelHistory } from '../kit/panel-history';
import { ownRoutes, pages } from '../pages';
import { followHistory } from './history';
import { Broken, NotFound } from './problems';
import { Root } from './root';
import { root, shell } from './routes';
import { Shell } from './shell';

root.update({ component: Root, notFoundComponent: NotFound });
shell.update({ component: Shell, errorComponent: Broken });

/** Any other path; keeps the menu. */
const unknown = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound });

export const router = createRouter({
  routeTree: root.addChildren([shell.addChildren([...pages, unknown]), ...ownRoutes]),
  basepath: '/console',
  history: createPanelHistory(),
  defaultNotFoundComponent: NotFound,
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const text = new URLSearchParams(given).toString();
    return text && `?${text}`;
  },
});

followHistory(router);

// Loads the page's script while the session is requested. A failure is shown with the page.
const [matched] = router.getMatchedRoutes(router.latestLocation.pathname);
for (const route of matched) {
  router.loadRouteChunk(route)?.catch(() => undefined);
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
