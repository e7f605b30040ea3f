import { type Permission, PERMISSIONS } from '../../src/access/caller';
import {
  type ApiClient,
  consoleApi,
  createOrganization,
  serviceApi,
  type TestOrganization,
} from '../support/factories';
import { OpenApi, type Route } from '../support/openapi';
import { useTestApp } from '../support/test-app';

type Who = 'platform' | 'administrator' | 'owner' | Permission;

/** Every console operation that is restricted among the organization's users. */
const RESTRICTED: Readonly<Record<string, Who>> = {
  bookAddOn: 'platform',
  createOrganization: 'platform',
  disableCampaign: 'platform',
  disableCustomDomain: 'platform',
  disableLink: 'platform',
  enableCampaign: 'platform',
  enableCustomDomain: 'platform',
  enableLink: 'platform',
  deleteOrganization: 'platform',
  listDebugSchemesOfUnknownApps: 'platform',
  listOrganizations: 'platform',
  moveCredits: 'platform',
  recordMessageSends: 'platform',
  removeAddOn: 'platform',
  createInvitation: 'administrator',
  createUser: 'administrator',
  listInvitations: 'administrator',
  revokeInvitation: 'administrator',
  endUserSessions: 'administrator',
  deleteUser: 'administrator',
  createApiKey: 'owner',
  deleteApiKey: 'owner',
  regenerateApiKey: 'owner',
  updateUser: 'owner',
  createSegment: 'segments.view',
  deleteSegment: 'segments.view',
  evaluateSegment: 'segments.view',
  getConsoleSegment: 'segments.view',
  listConsoleSegments: 'segments.view',
  updateSegment: 'segments.view',
  listCreditTransactions: 'credits.view',
};

const ANY_ID = '999999999';
const LOGIN = '/api/v1/console/login';

describe('console: who may do what', () => {
  const app = useTestApp();
  let platform: ApiClient;
  let routes: Route[];
  beforeAll(async () => {
    platform = consoleApi(app);
    const all = (await OpenApi.of(app)).routes().filter(({ scheme }) => scheme === 'console');
    // It ends the session that the others need.
    routes = all.filter(({ operationId }) => operationId !== 'logout');
  });

  const loginAs = async ({ username, password }: { username: string; password: string }) => {
    const { body } = await platform.post(LOGIN).send({ username, password }).expect(200);
    return consoleApi(app, (body as { token: string }).token);
  };

  /** A second user, with their own key. */
  async function addUser(to: TestOrganization, permissions: readonly Permission[]) {
    const base = `/api/v1/console/organizations/${to.organizationId}`;
    const login = { username: `more-${to.organizationId}-${permissions.length}`, password: 'a password' };
    const { body: user } = await platform
      .post(`${base}/users`)
      .send({ ...login, permissions })
      .expect(201);
    const { id: userId } = user as { id: number };
    const { body: key } = await platform.post(`${base}/api-keys`).send({ name: 'Key', userId }).expect(201);
    return { base, userId, keyId: (key as { id: number }).id, ...login, by: await loginAs(login) };
  }

  async function call(by: ApiClient, { method, path }: Route, organizationId: number) {
    const address = path.replace('{orgId}', String(organizationId)).replace(/\{\w+\}/g, ANY_ID);
    const { status, body } = await by[method](address).send(method === 'get' ? undefined : {});
    return { status, code: (body as { code?: string }).code };
  }

  it('each operation allows exactly the callers that it documents', async () => {
    const own = await createOrganization(app);
    const nobody = await addUser(own, []);
    const known = new Set(routes.map(({ operationId }) => operationId));
    expect(Object.keys(RESTRICTED).filter((name) => !known.has(name))).toEqual([]);
    for (const route of routes) {
      const who = RESTRICTED[route.operationId];
      // Ownership depends on the request; tested below.
      if (who === 'owner') continue;
      const { status } = await call(nobody.by, route, own.organizationId);
      const found = status === 403 ? 'refused' : 'let in';
      expect([route.operationId, found]).toEqual([route.operationId, who ? 'refused' : 'let in']);
    }
  });

  it('an administrator may do everything except what is reserved for the platform', async () => {
    for (const route of routes) {
      const own = await createOrganization(app);
      const { status } = await call(await loginAs(own), route, own.organizationId);
      const expected = RESTRICTED[route.operationId] === 'platform' ? 'refused' : 'let in';
      expect([route.operationId, status === 403 ? 'refused' : 'let in']).toEqual([
        route.operationId,
        expected,
      ]);
    }
  });

  it('nobody may access another organization', async () => {
    const foreign = await loginAs(await createOrganization(app));
    const { organizationId } = await createOrganization(app);
    for (const route of routes.filter(({ path }) => path.includes('{orgId}'))) {
      const found = await call(foreign, route, organizationId);
      const only = RESTRICTED[route.operationId] === 'platform';
      const expected = only ? { status: 403, code: 'PERMISSION_DENIED' } : { status: 404, code: 'NOT_FOUND' };
      expect([route.operationId, found]).toEqual([route.operationId, expected]);
    }
  });

  it('the OpenAPI document names the callers of every restricted operation', () => {
    const said = routes.map(({ operationId, responses }) => [operationId, responses['403']?.description]);
    for (const [operationId = '', description] of said) {
      const who = RESTRICTED[operationId];
      const words: Partial<Record<Who, string>> = {
        platform: 'Only the platform',
        administrator: 'Only a user with',
        owner: 'another user',
      };
      const expected = who === undefined ? 'Not permitted' : (words[who] ?? who);
      expect([operationId, description]).toEqual([operationId, expect.stringContaining(expected)]);
    }
  });

  describe('a user without every permission', () => {
    let own: TestOrganization;
    let user: Awaited<ReturnType<typeof addUser>>;
    beforeAll(async () => {
      own = await createOrganization(app);
      user = await addUser(own, ['mau.view']);
    });

    const refused = async (test: ReturnType<ApiClient['get']>) => {
      const { body } = await test.expect(403);
      expect(body).toMatchObject({ code: 'PERMISSION_DENIED', permission: 'administrator' });
    };

    it('cannot grant permissions, not even to themselves', async () => {
      for (const id of [user.userId, own.userId]) {
        for (const permissions of [PERMISSIONS, ['mau.view'], []]) {
          await refused(user.by.patch(`${user.base}/users/${id}`).send({ permissions }));
        }
      }
      const { body } = await platform.get(`${user.base}/users`).expect(200);
      const permissions = (body.content as { id: number; permissions: string[] }[]).map((each) => [
        each.id,
        each.permissions,
      ]);
      expect(new Map(permissions as [number, string[]][])).toEqual(
        new Map([
          [own.userId, [...PERMISSIONS]],
          [user.userId, ['mau.view']],
        ]),
      );
    });

    it('cannot create, change or delete another user', async () => {
      const { by, base } = user;
      await refused(by.post(`${base}/users`).send({ username: 'made-by-nobody', password: 'a password' }));
      await refused(by.patch(`${base}/users/${own.userId}`).send({ password: 'taken over' }));
      await refused(by.patch(`${base}/users/${own.userId}`).send({ username: 'renamed' }));
      await refused(by.patch(`${base}/users/${ANY_ID}`).send({ username: 'renamed' }));
      await refused(by.delete(`${base}/users/${own.userId}`));
      await refused(by.delete(`${base}/users/${user.userId}`));
      await loginAs(own);
    });

    it('cannot create or change keys of another user', async () => {
      const { by, base } = user;
      await refused(by.post(`${base}/api-keys`).send({ name: 'Theirs', userId: own.userId }));
      await refused(by.post(`${base}/api-keys/${own.apiKeyId}/regenerate`));
      await refused(by.delete(`${base}/api-keys/${own.apiKeyId}`));
      await serviceApi(app, own.apiKey).get('/api/v1/service/urls').expect(200);
    });

    it('manages their own keys', async () => {
      const { by, base, userId } = user;
      const { body } = await by.post(`${base}/api-keys`).send({ name: 'Mine', userId }).expect(201);
      const { body: newer } = await by.post(`${base}/api-keys/${body.id}/regenerate`).expect(201);
      await serviceApi(app, newer.apiKey).get('/api/v1/service/urls').expect(200);
      await by.delete(`${base}/api-keys/${body.id}`).expect(204);
      await by.delete(`${base}/api-keys/${body.id}`).expect(404);
    });

    it('changes their own name and password', async () => {
      const { by, base, userId, username } = user;
      const changed = { username: `${username}-renamed`, password: 'another password' };
      await by.patch(`${base}/users/${userId}`).send({ username: changed.username }).expect(200);
      const body = { password: changed.password, permissions: null };
      const refusal = await by.patch(`${base}/users/${userId}`).send(body).expect(400);
      expect(refusal.body.details).toMatchObject([{ field: 'currentPassword' }]);
      const currentPassword = user.password;
      await by
        .patch(`${base}/users/${userId}`)
        .send({ ...body, currentPassword })
        .expect(200);
      await loginAs(changed);
    });

    it('five of six permissions are not enough', async () => {
      const nearly = await addUser(own, PERMISSIONS.slice(1));
      await refused(
        nearly.by.patch(`${nearly.base}/users/${nearly.userId}`).send({ permissions: PERMISSIONS }),
      );
    });
  });
});
