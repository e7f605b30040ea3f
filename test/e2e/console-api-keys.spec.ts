import { isKey } from '../../src/access/api-keys/key-format';
import { consoleApi, createOrganization, serviceApi } from '../support/factories';
import { perTest, useTestApp } from '../support/test-app';

const SERVICE = '/api/v1/service/urls';

describe('console: API keys', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const platform = consoleApi(app);
  const made = perTest(() => createOrganization(app));
  const path = () => `${made.consolePath}/api-keys`;

  it('are created, shown once, listed and deleted', async () => {
    const { body } = await platform.post(path(), { name: 'Shop', userId: made.userId }).expect(201);
    const { apiKey, ...shown } = body;
    expect(isKey(apiKey, 'wp_live_')).toBe(true);
    expect(shown).toEqual({
      id: expect.any(Number),
      name: 'Shop',
      prefix: apiKey.slice(0, 12),
      userId: made.userId,
      scopes: ['*'],
      expiresAt: null,
      previousKeyExpiresAt: null,
      createdAt: '2026-11-20T08:32:00Z',
      lastUsedAt: null,
      previousKeyLastUsedAt: null,
    });
    const list = await platform.get(path()).expect(200);
    expect(list.body).toMatchObject({ totalElements: 2, page: 0, size: 20 });
    expect(list.body.content[0]).toEqual(shown);

    await serviceApi(app, apiKey).get(SERVICE).expect(200);
    await platform.delete(`${path()}/${body.id}`).expect(204);
    await serviceApi(app, apiKey).get(SERVICE).expect(401);
    await platform.delete(`${path()}/${body.id}`).expect(404);
    await platform.post(`${path()}/${body.id}/regenerate`).expect(404);
    expect((await platform.get(path())).body.totalElements).toBe(1);
  });

  it('may have the same name', async () => {
    const key = { name: 'Shop', userId: made.userId };
    const first = await platform.post(path(), key).expect(201);
    const second = await platform.post(path(), key).expect(201);
    expect(second.body.apiKey).not.toBe(first.body.apiKey);
  });

  it('are replaced, keeping id, name and user', async () => {
    const { body: old } = await platform.post(path(), { name: 'Shop', userId: made.userId }).expect(201);
    const { body } = await platform.post(`${path()}/${old.id}/regenerate`).expect(201);
    expect(body).toEqual({ ...old, apiKey: body.apiKey, prefix: body.apiKey.slice(0, 12) });
    expect(body.apiKey).not.toBe(old.apiKey);
    await serviceApi(app, old.apiKey).get(SERVICE).expect(401);
    await serviceApi(app, body.apiKey).get(SERVICE).expect(200);
  });

  it('are stored as a hash only', async () => {
    const rows = await app.sql("SELECT *, encode(hash, 'escape') AS text FROM api_keys WHERE id = $1", [
      made.apiKeyId,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(made.apiKey.slice(12));
  });

  it('are only for users of the organization', async () => {
    const other = await createOrganization(app);
    await platform.post(path(), { name: 'x', userId: other.userId }).expect(404);
    await platform.post(path(), { name: 'x', userId: 987654321 }).expect(404);
    await platform.post(`${path()}/${other.apiKeyId}/regenerate`).expect(404);
    await platform.patch(`${path()}/${other.apiKeyId}`, { name: 'x' }).expect(404);
    await platform.delete(`${path()}/${other.apiKeyId}`).expect(404);
    await other.api.get(SERVICE).expect(200);
  });

  it('are neither created nor changed with a mistyped field', async () => {
    const key = { name: 'Shop', userId: made.userId };
    const one = `${path()}/${made.apiKeyId}`;
    const mistyped = [
      ['post', path(), { ...key, scope: ['links:read'] }, 'scope'],
      ['post', path(), { ...key, expires: '2026-12-01' }, 'expires'],
      ['patch', one, { userId: 1 }, 'userId'],
      ['post', `${one}/regenerate`, { overlap: 24 }, 'overlap'],
      [
        'post',
        path().replace('api-keys', 'users'),
        { username: 'new', password: 'x'.repeat(9), roles: [] },
        'roles',
      ],
      ['post', path().replace('api-keys', 'invitations'), { roles: ['ADMIN'] }, 'roles'],
    ] as const;
    for (const [method, at, sent, field] of mistyped) {
      const { body } = await platform[method](at, sent).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    }
    await made.api.get(SERVICE).expect(200);
  });

  it('change their name, scopes and expiry', async () => {
    const expiresAt = '2026-12-01T00:00:00Z';
    const { body: created } = await platform
      .post(path(), { name: 'Shop', userId: made.userId, scopes: ['links:read', 'links:read'], expiresAt })
      .expect(201);
    const { apiKey, ...shown } = created;
    expect(shown).toMatchObject({ scopes: ['links:read'], expiresAt });
    const one = `${path()}/${shown.id}`;
    const send = (change: object) => platform.patch(one, change).expect(200);

    const scopes = ['links:write', 'analytics:read'];
    const { body } = await send({ name: 'Till', scopes, expiresAt: '2027-01-31' });
    const changed = { ...shown, name: 'Till', scopes, expiresAt: '2027-01-31T23:59:59Z' };
    expect(body).toEqual(changed);
    expect((await send({})).body).toEqual(changed);
    expect((await send({ name: null, scopes: null })).body).toEqual(changed);
    expect((await send({ expiresAt: null })).body).toEqual({ ...changed, expiresAt: null });
    expect((await platform.get(path())).body.content[0]).toEqual({ ...changed, expiresAt: null });

    const { body: log } = await platform.get(path().replace('api-keys', 'audit-log')).expect(200);
    expect(log.content.slice(0, 2)).toMatchObject([
      { action: 'api_key.update', changes: { expiresAt: { from: '2027-01-31T23:59:59.000Z', to: null } } },
      { action: 'api_key.update', changes: { name: { from: 'Shop', to: 'Till' } } },
    ]);
    await serviceApi(app, apiKey).get(SERVICE).expect(200);
  });

  it.each([
    ['scopes', ['links:delete']],
    ['expiresAt', '2026-11-20T08:32:00Z'],
  ])('cannot be created or changed with %s %j', async (field, value) => {
    const refused = { code: 'VALIDATION_FAILED', details: [{ field }] };
    const key = { name: 'Shop', userId: made.userId, [field]: value };
    expect((await platform.post(path(), key).expect(400)).body).toMatchObject(refused);
    const changed = await platform.patch(`${path()}/${made.apiKeyId}`, { [field]: value }).expect(400);
    expect(changed.body).toMatchObject(refused);
  });
});
