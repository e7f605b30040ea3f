import { ApiKeysService } from '../../src/access/api-keys/api-keys.service';
import { type ConsoleRole, ROLES } from '../../src/access/roles';
import { EVERY_SCOPE, SCOPES } from '../../src/access/scopes';
import { ORGANIZATION_API, SERVICE_API } from '../../src/access/service-controller';
import {
  addOnFor,
  CONSOLE_ONLY,
  isOnOneself,
  listingFor,
  permissionFor,
  roleFor,
  scopeFor,
} from '../support/access-table';
import { registerApp } from '../support/apps';
import {
  appHeaders,
  callerOf,
  consoleApi,
  createOrganization,
  type OrganizationOverrides,
  type TestOrganization,
} from '../support/factories';
import { fill, OpenApi, type Route } from '../support/openapi';
import { type RawAnswer, RawHttp } from '../support/raw-http';
import { Resources } from '../support/resources';
import { API_HOST, CONSOLE_TOKEN, useTestApp } from '../support/test-app';

const RANKS: readonly ConsoleRole[] = ['VIEWER', 'EDITOR', 'ADMIN', 'PLATFORM'];
/** A body that no operation can read, so that nothing changes. */
const UNREADABLE = '{';

describe('who may call what', () => {
  const app = useTestApp();
  let api: OpenApi;
  let http: RawHttp;
  beforeAll(async () => {
    api = await OpenApi.of(app);
    http = new RawHttp(app.url, { Host: API_HOST });
  });
  afterAll(() => http.close());

  interface Answer {
    status: number;
    body?: Partial<
      Record<'code' | 'message' | 'role' | 'scope' | 'addonCode' | 'feature' | 'permission', string>
    >;
  }
  type Send = (route: Route, organizationId: number, body?: string) => Promise<Answer>;

  /** Calls operations with ids that don't exist. */
  const caller =
    (credentials: Record<string, string>): Send =>
    async (route, organizationId, body) => {
      const path = fill(route.path, Resources.missing(route, organizationId));
      return (await http.send(route.method, path, credentials, body)) as RawAnswer & Answer;
    };

  async function loginAs({ username, password }: TestOrganization): Promise<Send> {
    const { body } = await consoleApi(app).post('/api/v1/console/login', { username, password });
    return caller({ Authorization: `Bearer ${(body as { token: string }).token}` });
  }

  const isOpen = ({ status, body }: Answer) =>
    status < 500 && ![401, 403, 429].includes(status) && body?.message !== 'Organization not found';

  const isRefused = ({ status, body }: Answer, code: string, field: 'role' | 'scope', needed: string) =>
    status === 403 && body?.code === code && body[field] === needed;

  describe('in the console', () => {
    /** Refused to users who are not of the organization of a path without one. */
    const inOrganization = ({ path }: Route) => path.includes('{organizationId}');
    const bodyOf = (route: Route) => {
      // Users may change themselves, so that these read the body before they decide.
      if (['updateUser', 'updateMe'].includes(route.operationId)) return '{}';
      return route.requestBody ? UNREADABLE : undefined;
    };
    let routes: Route[];
    beforeAll(() => {
      const all = api.routes().filter(({ scheme }) => scheme === 'console');
      // Last, because it ends the session that the others need.
      const isLogout = ({ operationId }: Route) => operationId === 'logout';
      routes = [...all.filter((route) => !isLogout(route)), ...all.filter(isLogout)];
      expect(routes.length).toBeGreaterThan(130);
    });

    it('is documented as in the table', () => {
      const documented = routes.map((route) => [route.operationId, route['x-role'], route.security]);
      const expected = routes.map((route) => {
        const role = roleFor(route);
        const ofUsers = role === 'PLATFORM' ? [] : [{ consoleCookie: [role] }];
        return [route.operationId, role, [{ console: [role] }, ...ofUsers]];
      });
      expect(documented).toEqual(expected);
    });

    it.each(ROLES)(
      '%s may call exactly the operations of the role, whatever plan and address',
      async (role) => {
        // The limits of API keys do not hold for people.
        const limits = { plan: 'FREE', allowList: ['203.0.113.1'] } as const;
        const own = await createOrganization(app, { ...limits, role });
        const by = await loginAs(own);
        const wrong: unknown[] = [];
        for (const route of routes) {
          // This ends the session.
          const send = route.operationId === 'logout' ? await loginAs(own) : by;
          const answer = await send(route, own.organizationId, bodyOf(route));
          const needed = roleFor(route);
          const allowed = RANKS.indexOf(role) >= RANKS.indexOf(needed);
          const { status, body } = answer;
          const refused = isRefused(answer, 'ROLE_REQUIRED', 'role', needed);
          if (allowed ? !isOpen(answer) : !refused) wrong.push([route.operationId, needed, status, body]);
        }
        expect(wrong).toEqual([]);
      },
    );

    it.each(ROLES)('%s finds nothing of another organization', async (role) => {
      const by = await loginAs(await createOrganization(app, { role }));
      const { organizationId } = await createOrganization(app);
      const wrong: unknown[] = [];
      for (const route of routes.filter(inOrganization)) {
        const { status, body } = await by(route, organizationId, bodyOf(route));
        const hidden = status === 404 && body?.message === 'Organization not found';
        if (!hidden) wrong.push([route.operationId, status, body]);
      }
      expect(wrong).toEqual([]);
    });

    it('the platform may call every operation for every organization', async () => {
      const platform = caller({ Authorization: `Bearer ${CONSOLE_TOKEN}` });
      const { organizationId } = await createOrganization(app);
      const wrong: unknown[] = [];
      for (const route of routes) {
        // These delete: each gets an organization of its own.
        const deletes = route.method === 'delete' && roleFor(route) === 'PLATFORM';
        const id = deletes ? (await createOrganization(app)).organizationId : organizationId;
        const answer = await platform(route, id, bodyOf(route));
        const right = isOnOneself(route) ? answer.body?.code === 'USER_REQUIRED' : isOpen(answer);
        if (!right) wrong.push([route.operationId, answer]);
      }
      expect(wrong).toEqual([]);
    });
  });

  describe('with an API key', () => {
    let routes: Route[];
    beforeAll(() => {
      routes = api.routes().filter(({ scheme }) => scheme === 'apiKey');
      expect(routes.length).toBeGreaterThan(110);
    });

    it('is documented as in the table', () => {
      const documented = routes.map((route) => [route.operationId, route['x-scope'], route.security]);
      const expected = routes.map((route) => [
        route.operationId,
        scopeFor(route),
        [{ apiKey: [scopeFor(route)] }],
      ]);
      expect(documented).toEqual(expected);
    });

    it.each(ROLES)(
      'that acts as a %s opens exactly the operations of its scope and of the role',
      async (role) => {
        const { organizationId, userId } = await createOrganization(app, {
          role,
          allowList: ['127.0.0.0/8'],
        });
        const by = await callerOf(app, organizationId);
        const wrong: unknown[] = [];
        for (const scopes of [
          ...[...SCOPES, EVERY_SCOPE].map((scope) => [scope]),
          ['analytics:read', 'links:read'],
        ]) {
          const { apiKey } = await app.get(ApiKeysService).create(by, { name: 'Scoped', userId, scopes });
          const send = caller({ 'X-API-KEY': apiKey });
          for (const route of routes) {
            const answer = await send(route, organizationId, route.requestBody && UNREADABLE);
            const scope = scopeFor(route);
            const needed = roleFor({ ...route, path: route.path.replace(SERVICE_API, ORGANIZATION_API) });
            const isCovered = [EVERY_SCOPE, scope, scope.replace(':read', ':write')].some((one) =>
              scopes.includes(one),
            );
            const isRight = !isCovered
              ? isRefused(answer, 'SCOPE_REQUIRED', 'scope', scope)
              : RANKS.indexOf(role) >= RANKS.indexOf(needed)
                ? isOpen(answer)
                : isRefused(answer, 'ROLE_REQUIRED', 'role', needed);
            if (!isRight) wrong.push([route.operationId, scopes, answer]);
          }
        }
        expect(wrong).toEqual([]);
      },
    );

    it('opens whatever an ADMIN may do in the console, except what the table leaves to people', () => {
      const below = api.routes().flatMap(({ method, path, operationId }) => {
        const [, rest] = path.split(/\/organizations\/\{organizationId\}\/?/);
        return rest === undefined ? [] : [{ method, rest, operationId }];
      });
      const open = new Set(routes.map(({ method, path }) => `${method} ${path.replace(SERVICE_API, '')}`));
      const closed = below.filter(({ method, rest }) => !open.has(`${method} ${rest}`));
      expect(open.size).toBe(below.length - closed.length);
      const listed = (path: string) => CONSOLE_ONLY.some(([pattern]) => pattern.test(path));
      expect(closed.filter(({ rest }) => !listed(rest))).toEqual([]);
      const unused = CONSOLE_ONLY.filter(([pattern]) => !closed.some(({ rest }) => pattern.test(rest)));
      expect(unused).toEqual([]);
    });
  });

  it.each<[string, OrganizationOverrides, (route: Route) => string | null]>([
    ['add-ons', { addOns: [], allowList: ['127.0.0.0/8'] }, addOnFor],
    ['permissions', { permissions: [], allowList: ['127.0.0.0/8'] }, permissionFor],
    ['registered addresses', {}, listingFor],
  ])('keys of servers and apps need the %s of the table', async (_, overrides, neededBy) => {
    const own = await createOrganization(app, overrides);
    const credentials = { apiKey: { 'X-API-KEY': own.apiKey }, app: appHeaders(await registerApp(own)) };
    const wrong: unknown[] = [];
    for (const route of api.routes()) {
      if (route.scheme !== 'apiKey' && route.scheme !== 'app') continue;
      const send = caller(credentials[route.scheme]);
      const { status, body } = await send(route, own.organizationId, route.requestBody && UNREADABLE);
      const { addonCode, feature, permission, code } = body ?? {};
      const lacking = status === 403 ? (addonCode ?? feature ?? permission ?? code) : null;
      const needed = neededBy(route);
      if (lacking !== needed) wrong.push([route.operationId, needed, status, body]);
    }
    expect(wrong).toEqual([]);
  });
});
