import { type Permission, PERMISSIONS } from '../../src/access/caller';
import type { Role } from '../../src/access/roles';
import { consoleApi, createOrganization, signIn } from '../support/factories';
import { useTestApp } from '../support/test-app';

describe('console: roles', () => {
  const app = useTestApp();
  const platform = consoleApi(app);

  /** An organization with an ADMIN, and a user of `role`. */
  async function staff(role: Role, permissions: readonly Permission[] = []) {
    const own = await createOrganization(app);
    const base = own.consolePath;
    const login = { username: `${role}-${own.organizationId}`, password: 'a password' };
    const { body } = await platform.post(`${base}/users`, { ...login, role, permissions }).expect(201);
    const { id } = body as { id: number };
    return { own, base, id, ...login, by: await signIn(app, login), admin: await signIn(app, own) };
  }

  const refusal = (role: string) => ({ status: 403, error: 'ROLE_REQUIRED', code: 'ROLE_REQUIRED', role });

  it('are VIEWER unless given, and ADMIN for the first user', async () => {
    const { body: made } = await platform.post('/api/v1/console/organizations', { name: 'New' });
    const users = `/api/v1/console/organizations/${made.id}/users`;
    const create = async (fields: object) => {
      const username = `new-${made.id}-${JSON.stringify(fields).length}`;
      const { body } = await platform.post(users, { username, password: 'a password', ...fields });
      return (body as { role: string }).role;
    };
    expect(await create({})).toBe('ADMIN');
    expect(await create({ role: null })).toBe('VIEWER');
    expect(await create({ role: 'EDITOR' })).toBe('EDITOR');
  });

  it('let an EDITOR delete contacts, but not erase them', async () => {
    const { base, by } = await staff('EDITOR');
    const { body: saved } = await by.post(`${base}/messaging/contacts`, { name: 'Minji' }).expect(201);
    const erase = `${base}/messaging/contacts/${saved.id}?erase=true`;
    expect((await by.delete(erase)).body).toMatchObject(refusal('ADMIN'));
    await by.delete(`${base}/messaging/contacts/${saved.id}`).expect(204);
  });

  it('hide the keys of apps below ADMIN', async () => {
    const { base, by, admin } = await staff('EDITOR');
    const form = { appName: 'Shop', platform: 'Android', bundleId: 'com.example.shop' };
    const { body: registered } = await admin.post(`${base}/mobile-apps`, form).expect(201);
    expect(registered.apiKey).toMatch(/^wp_app_\w{38}$/);
    const masked = expect.stringMatching(/^wp_app_\w{5}…$/);
    expect((await by.get(`${base}/mobile-apps/${registered.id}`)).body.apiKey).toEqual(masked);
    expect((await by.get(`${base}/mobile-apps`)).body.content[0].apiKey).toEqual(masked);
    expect((await admin.get(`${base}/mobile-apps/${registered.id}`)).body).toEqual(registered);
  });

  it('are changed by an ADMIN alone', async () => {
    const { own, base, id, by } = await staff('EDITOR');
    for (const [user, change] of [
      [id, { role: 'ADMIN' }],
      [id, { permissions: ['mau.view'] }],
      [own.userId, { role: 'VIEWER' }],
      [own.userId, { password: 'taken over' }],
      [own.userId, { username: 'renamed' }],
      [999_999_999, { username: 'renamed' }],
    ] as const) {
      expect((await by.patch(`${base}/users/${user}`, change)).body).toMatchObject(refusal('ADMIN'));
    }
    expect((await by.get(`${base}/users`)).body).toMatchObject(refusal('ADMIN'));
    expect((await by.delete(`${base}/users/${id}`)).body).toMatchObject(refusal('ADMIN'));
  });

  it('cannot be used to get permissions that one lacks', async () => {
    const { own, base, id, by } = await staff('ADMIN', ['mau.view']);
    const denied = { code: 'PERMISSION_DENIED', permission: 'revenue.view' };
    for (const call of [
      by.patch(`${base}/users/${id}`, { permissions: PERMISSIONS }),
      by.patch(`${base}/users/${own.userId}`, { password: 'taken over' }),
      by.post(`${base}/api-keys`, { name: 'Theirs', userId: own.userId }),
      by.post(`${base}/api-keys/${own.apiKeyId}/regenerate`, {}),
    ]) {
      expect((await call).body).toMatchObject(denied);
    }
    await by.post(`${base}/api-keys`, { name: 'Mine', userId: id }).expect(201);
    await signIn(app, own);
  });

  it('keep one ADMIN in the organization', async () => {
    const own = await createOrganization(app);
    const users = `${own.consolePath}/users`;
    const last = { status: 409, code: 'LAST_ADMIN' };
    const mine = `${users}/${own.userId}`;
    expect((await platform.patch(mine, { role: 'EDITOR' })).body).toMatchObject(last);
    expect((await platform.delete(mine)).body).toMatchObject(last);
    await platform.patch(mine, { role: 'ADMIN' }).expect(200);
    const second = { username: `second-${own.organizationId}`, password: 'a password', role: 'ADMIN' };
    const { body } = await platform.post(users, second).expect(201);
    const demote = (id: number) => platform.patch(`${users}/${id}`, { role: 'VIEWER' });
    const statuses = await Promise.all(
      [own.userId, body.id as number].map(async (id) => (await demote(id)).status),
    );
    expect(statuses.sort()).toEqual([200, 409]);
  });

  it('allow each user 600 calls a minute, and the platform any number', async () => {
    const { base, by, admin } = await staff('VIEWER');
    const calls = Array.from({ length: 12 }, async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 55; i++) statuses.push((await by.get(`${base}/urls`)).status);
      return statuses;
    });
    const statuses = (await Promise.all(calls)).flat();
    expect(statuses.filter((status) => status === 200)).toHaveLength(600);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60);
    const { headers } = await admin.get(`${base}/urls`).expect(200);
    expect(headers).toMatchObject({ 'ratelimit-limit': '600', 'ratelimit-remaining': '599' });
    expect((await platform.get(`${base}/urls`).expect(200)).headers['ratelimit-limit']).toBeUndefined();
  });
});
