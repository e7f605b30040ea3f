import { OpenApi } from '../support/openapi';
import { useTestApp } from '../support/test-app';

const KINDS = [
  {
    path: '/api/v1/service/urls',
    names: { customAlias: 'alias', url: 'originalUrl', expirationDate: 'expiresAt' },
  },
  { path: '/api/v1/service/campaigns', names: {} as Record<string, string> },
] as const;

/** What documents 1 and 7 show apart: names of links, and what only campaigns have. */
const APART = {
  requests: ['name'],
  answers: [
    'name',
    'alias',
    'shortUrl',
    'username',
    'appPath',
    'iosAppName',
    'iosAppIconUrl',
    'androidAppName',
    'androidAppIconUrl',
  ],
  filters: ['keyword'],
};

describe('links and campaigns', () => {
  const app = useTestApp();
  let api: OpenApi;
  beforeAll(async () => {
    api = await OpenApi.of(app);
  });

  const routesOf = (path: string) =>
    api
      .ownRoutes()
      .filter((route) => route.path === path || route.path.startsWith(`${path}/`))
      .map((route) => ({ ...route, name: `${route.method} ${route.path.slice(path.length)}` }));
  const routeOf = (path: string, name: string) => routesOf(path).find((route) => route.name === name);
  const both = (of: (kind: (typeof KINDS)[number]) => readonly string[], apart: readonly string[]) => {
    const [links, campaigns] = KINDS.map((kind) => {
      const names: Record<string, string> = kind.names;
      const found = of(kind).map((name) => names[name] ?? name);
      return [...new Set(found)].filter((name) => !apart.includes(name)).sort();
    });
    expect(links?.length).toBeGreaterThan(0);
    expect(campaigns).toEqual(links);
  };

  it('have the same operations', () => {
    // Those of links are at /links/{id}/settings.
    both(({ path }) => routesOf(path).map(({ name }) => name), ['get /{id}/settings', 'put /{id}/settings']);
  });

  it.each(['post ', 'put /{id}', 'post /changes'])('have the same fields in the body of %s', (name) => {
    const fields = ({ path }: { path: string }) => {
      const route = routeOf(path, name);
      return Object.keys((route && api.bodyOf(route)?.properties) ?? {});
    };
    // Updates of links take the names of answers too, with their present values.
    both(fields, APART.requests);
  });

  it('have the same filters', () => {
    both(({ path }) => {
      const route = routeOf(path, 'get ');
      return (route?.parameters ?? []).map((parameter) => parameter.name);
    }, APART.filters);
  });
});
