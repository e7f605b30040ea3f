import { PERMISSIONS } from '../../src/access/caller';
import { createBook, saveContact } from '../support/contacts';
import { type ApiClient, consoleApi, createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

describe('console: audit log', () => {
  const app = useTestApp();
  const platform = consoleApi(app);
  beforeAll(() => app.clock.set('2026-11-20T08:32:00Z'));

  /** An organization after every kind of change by a user of the console. */
  async function busy() {
    const { body: made } = await platform.post('/api/v1/console/organizations', { name: 'Busy' }).expect(201);
    const path = `/api/v1/console/organizations/${made.id}`;
    const login = { username: `busy-${made.id}`, password: 'a secret password' };
    const { body: user } = await platform
      .post(`${path}/users`, { ...login, permissions: PERMISSIONS })
      .expect(201);
    const { body: session } = await platform.post('/api/v1/console/login', login).expect(200);
    const by = consoleApi(app, session.token);
    const from = (call: ReturnType<ApiClient['get']>) => call.set('X-Forwarded-For', '203.0.113.7');

    await from(by.patch(path, { name: 'Busier', timeZone: 'UTC' })).expect(200);
    await from(by.patch(path, { name: 'Busier' })).expect(200);
    const other = { username: `other-${made.id}`, password: 'another secret' };
    const { body: second } = await from(by.post(`${path}/users`, other)).expect(201);
    await from(
      by.patch(`${path}/users/${second.id}`, { password: 'third secret', permissions: ['mau.view'] }),
    ).expect(200);
    const { body: key } = await from(by.post(`${path}/api-keys`, { name: 'Shop', userId: user.id })).expect(
      201,
    );
    const { body: newer } = await from(by.post(`${path}/api-keys/${key.id}/regenerate`)).expect(201);
    await from(by.delete(`${path}/api-keys/${key.id}`)).expect(204);
    const { body: ip } = await from(by.post(`${path}/ip-allow-list`, { cidr: '192.0.2.1' })).expect(201);
    await from(by.delete(`${path}/ip-allow-list/${ip.id}`)).expect(204);
    await from(platform.put(`${path}/add-ons/MESSAGING`, {})).expect(200);
    await from(platform.put(`${path}/add-ons/MESSAGING`, { activeUntil: '2026-12-31' })).expect(200);
    await from(platform.delete(`${path}/add-ons/MESSAGING`)).expect(204);
    await from(by.delete(`${path}/users/${second.id}`)).expect(204);
    return { path, user, second, key, newer, ip, by, login, organizationId: made.id as number };
  }

  it('has every change, newest first, with actor, time and IP address', async () => {
    const { path, user, second, key, newer, ip, by, login, organizationId } = await busy();
    const { body } = await by.get(`${path}/audit-log`).expect(200);
    expect(body).toMatchObject({ page: 0, size: 20, totalElements: 15 });
    const entries = body.content as Record<string, unknown>[];
    expect(entries.map(({ action, resourceId }) => [action, resourceId])).toEqual([
      ['user.delete', String(second.id)],
      ['add_on.remove', 'MESSAGING'],
      ['add_on.update', 'MESSAGING'],
      ['add_on.book', 'MESSAGING'],
      ['allowed_ip.delete', String(ip.id)],
      ['allowed_ip.create', String(ip.id)],
      ['api_key.delete', String(key.id)],
      ['api_key.regenerate', String(key.id)],
      ['api_key.create', String(key.id)],
      ['user.update', String(second.id)],
      ['user.create', String(second.id)],
      ['organization.update', String(organizationId)],
      ['user.sign_in', String(user.id)],
      ['user.create', String(user.id)],
      ['organization.create', String(organizationId)],
    ]);
    const mine = { type: 'USER', id: user.id, name: login.username, key: null };
    expect(entries[11]).toEqual({
      id: expect.any(Number),
      at: '2026-11-20T08:32:00Z',
      actor: mine,
      ip: '203.0.113.7',
      action: 'organization.update',
      resourceType: 'organization',
      resourceId: String(organizationId),
      changes: { name: { from: 'Busy', to: 'Busier' } },
    });
    expect(entries[9]?.changes).toEqual({
      password: { from: '***', to: '***' },
      permissions: { from: [], to: ['mau.view'] },
    });
    expect(entries[7]?.changes).toEqual({ prefix: { from: key.prefix, to: newer.prefix } });
    expect(entries[2]?.changes).toEqual({ activeUntil: { from: null, to: '2026-12-31T23:59:59Z' } });
    const byUser = entries.slice(0, 12).filter(({ resourceType }) => resourceType !== 'add_on');
    expect(byUser.map(({ actor }) => actor)).toEqual(Array(9).fill(mine));
    expect(entries[14]?.actor).toMatchObject({ type: 'PLATFORM', id: null, name: 'platform' });
  });

  it('has sign-ins, the first failed one of a series and the one that locks the name, but no unknown names', async () => {
    const { path, user, login } = await busy();
    const log = async (action: string) =>
      (await platform.get(`${path}/audit-log?action=${action}`).expect(200)).body.content as object[];
    const actor = { type: 'USER', id: user.id, name: login.username, key: null };
    const entry = { actor, ip: '203.0.113.9', resourceType: 'user', resourceId: String(user.id) };
    const attempt = (body: object) =>
      platform.post('/api/v1/console/login').set('X-Forwarded-For', '203.0.113.9').send(body);
    await attempt({ ...login, username: login.username.toUpperCase() }).expect(200);
    const method = { from: null, to: 'PASSWORD' };
    expect((await log('user.sign_in'))[0]).toMatchObject({ ...entry, changes: { method } });
    for (let n = 0; n < 12; n++) await attempt({ ...login, password: `wrong secret ${n}` });
    expect(await log('user.fail_sign_in')).toEqual(
      Array(2).fill(expect.objectContaining({ ...entry, changes: {} })),
    );
    const [before] = await app.sql<{ count: number }>('SELECT count(*)::int FROM audit_log');
    await attempt({ username: 'nobody-at-all', password: 'x' })
      .set('X-Forwarded-For', '203.0.113.10')
      .expect(401);
    expect(await app.sql('SELECT count(*)::int FROM audit_log')).toEqual([before]);
  });

  it('has exports of contacts and of a person’s data', async () => {
    const book = await createBook(app);
    const { id } = await saveContact(book, { externalUserId: 'exported' });
    const path = book.consolePath;
    await platform.get(`${path}/messaging/contacts/export`).expect(200);
    await platform.get(`${path}/messaging/contacts/${id}/export`).expect(200);
    const { body } = await platform.get(`${path}/audit-log?action=contact.export`).expect(200);
    expect(body.content).toMatchObject([
      { actor: { type: 'PLATFORM' }, resourceType: 'contact', resourceId: String(id) },
      { actor: { type: 'PLATFORM' }, resourceType: 'contact', resourceId: null },
    ]);
  });

  it('contains no secrets', async () => {
    const { organizationId, key, newer } = await busy();
    const rows = JSON.stringify(
      await app.sql('SELECT * FROM audit_log WHERE organization_id = $1', [organizationId]),
    );
    expect(rows).not.toMatch(/secret|scrypt|hash/i);
    expect(rows).not.toContain(key.apiKey.slice(12));
    expect(rows).not.toContain(newer.apiKey.slice(12));
  });

  it('is paged and filtered', async () => {
    const { path, key, user } = await busy();
    const log = async (query: string) => (await platform.get(`${path}/audit-log?${query}`).expect(200)).body;
    const second = await log('page=1&size=5');
    expect(second.content).toHaveLength(5);
    expect(second).toMatchObject({ page: 1, size: 5, first: false, last: false });
    expect((await log('resourceType=api_key')).totalElements).toBe(3);
    expect((await log(`resourceType=api_key&resourceId=${key.id}&action=api_key.create`)).totalElements).toBe(
      1,
    );
    expect((await log('action=unknown')).totalElements).toBe(0);
    expect((await log('resourceType=')).totalElements).toBe(0);
    for (const [query, entries] of [
      ['actorType=USER', 10],
      [`actorType=USER&actorId=${user.id}&resourceType=api_key`, 3],
      [`actorType=USER&actorId=${Number(user.id) + 1}`, 0],
      [`actorType=API_KEY&actorId=${user.id}`, 0],
      [`actorId=${Number(user.id)}&resourceType=api_key`, 3],
      ['actorType=PLATFORM', 5],
      ['from=2026-11-20', 15],
      ['from=2026-11-20T08:32:00Z&to=2026-11-20', 15],
      ['from=2026-11-20T08:32:01Z', 0],
      ['to=2026-11-20T08:32:00Z', 0],
      ['to=2026-11-20T08:32:01Z&resourceType=api_key', 3],
    ] as const) {
      expect([query, (await log(query)).totalElements]).toEqual([query, entries]);
    }
  });

  it.each(['actorType=USER&actorId=0', 'from=x', 'to=x', 'from=2026-11-21&to=2026-11-20'])(
    'refuses %s',
    async (query) => {
      const { organizationId } = await createOrganization(app);
      const path = `/api/v1/console/organizations/${organizationId}/audit-log`;
      await platform.get(`${path}?${query}`).expect(400);
    },
  );

  it('has no entry for a failed change', async () => {
    const { organizationId, username } = await createOrganization(app);
    const path = `/api/v1/console/organizations/${organizationId}`;
    const before = (await platform.get(`${path}/audit-log`)).body.totalElements;
    await platform.post(`${path}/users`, { username, password: 'password' }).expect(409);
    await platform.post(`${path}/api-keys`, { name: 'x', userId: 987654 }).expect(404);
    expect((await platform.get(`${path}/audit-log`)).body.totalElements).toBe(before);
  });

  it('is separate for each organization', async () => {
    const first = await createOrganization(app);
    const second = await createOrganization(app);
    const { body } = await platform.get(`${first.consolePath}/audit-log?size=100`).expect(200);
    expect(JSON.stringify(body)).not.toContain(second.username);
  });
});
