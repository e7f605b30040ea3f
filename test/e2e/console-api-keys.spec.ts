import { isKey } from '../../src/access/api-keys/key-format';
import { type ApiClient, consoleApi, createOrganization, serviceApi } from '../support/factories';
import { useTestApp } from '../support/test-app';

const SERVICE = '/api/v1/service/urls';

describe('console: API keys', () => {
  const app = useTestApp();
  let platform: ApiClient;
  let made: Awaited<ReturnType<typeof createOrganization>>;
  let path: string;
  beforeAll(() => {
    platform = consoleApi(app);
  });
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    made = await createOrganization(app);
    path = `/api/v1/console/organizations/${made.organizationId}/api-keys`;
  });

  it('are created, shown once, listed and deleted', async () => {
    const { body } = await platform.post(path).send({ name: 'Shop', userId: made.userId }).expect(201);
    const { apiKey, ...shown } = body;
    expect(isKey(apiKey, 'wp_live_')).toBe(true);
    expect(shown).toEqual({
      id: expect.any(Number),
      name: 'Shop',
      prefix: apiKey.slice(0, 12),
      userId: made.userId,
      createdAt: '2026-11-20T08:32:00Z',
      lastUsedAt: null,
    });
    const list = await platform.get(path).expect(200);
    expect(list.body).toMatchObject({ totalElements: 2, page: 0, size: 20 });
    expect(list.body.content[0]).toEqual(shown);

    await serviceApi(app, apiKey).get(SERVICE).expect(200);
    await platform.delete(`${path}/${body.id}`).expect(204);
    await serviceApi(app, apiKey).get(SERVICE).expect(401);
    await platform.delete(`${path}/${body.id}`).expect(404);
    await platform.post(`${path}/${body.id}/regenerate`).expect(404);
    expect((await platform.get(path)).body.totalElements).toBe(1);
  });

  it('may have the same name', async () => {
    const key = { name: 'Shop', userId: made.userId };
    const first = await platform.post(path).send(key).expect(201);
    const second = await platform.post(path).send(key).expect(201);
    expect(second.body.apiKey).not.toBe(first.body.apiKey);
  });

  it('are replaced, keeping id, name and user', async () => {
    const { body: old } = await platform.post(path).send({ name: 'Shop', userId: made.userId }).expect(201);
    const { body } = await platform.post(`${path}/${old.id}/regenerate`).expect(201);
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
    await platform.post(path).send({ name: 'x', userId: other.userId }).expect(404);
    await platform.post(path).send({ name: 'x', userId: 987654321 }).expect(404);
    await platform.post(`${path}/${other.apiKeyId}/regenerate`).expect(404);
    await platform.delete(`${path}/${other.apiKeyId}`).expect(404);
    await other.api.get(SERVICE).expect(200);
  });

  it.each([
    ['name', undefined],
    ['name', ''],
    ['name', 'x'.repeat(101)],
    ['name', 5],
    ['name', 'a\u0000'],
    ['userId', undefined],
    ['userId', null],
    ['userId', '7'],
    ['userId', 0],
    ['userId', 1.5],
    ['userId', 2 ** 63],
    ['userId', [1]],
  ])('%s can not be %j', async (field, value) => {
    const key = { name: 'Shop', userId: made.userId, [field]: value };
    const { body } = await platform.post(path).send(key).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });

  it.each(['abc', '0', '9223372036854775808'])('have no id %s', async (id) => {
    const { body } = await platform.delete(`${path}/${id}`).expect(400);
    expect(body.details[0].field).toBe('id');
  });

  it("can be created with a user's token", async () => {
    const { username, password, userId } = made;
    const login = await platform.post('/api/v1/console/login').send({ username, password }).expect(200);
    const user = consoleApi(app, login.body.token);
    const { body } = await user.post(path).send({ name: 'Mine', userId }).expect(201);
    await serviceApi(app, body.apiKey).get(SERVICE).expect(200);
  });
});
