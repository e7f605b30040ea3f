import { PERMISSIONS } from '../../src/access/caller';
import { consoleApi, createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

describe('console: users', () => {
  const app = useTestApp();
  let path: string;
  let taken = 0;
  const name = () => `someone-${++taken}`;
  const platform = consoleApi(app);
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    path = `/api/v1/console/organizations/${(await createOrganization(app)).organizationId}/users`;
  });

  it('are created, listed, changed and deleted', async () => {
    const username = name();
    const { body } = await platform
      .post(path, { username, password: 'password', permissions: ['mau.view', 'revenue.view', 'mau.view'] })
      .expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      username,
      role: 'VIEWER',
      name: null,
      email: null,
      emailConfirmed: false,
      permissions: ['mau.view', 'revenue.view'],
      createdAt: '2026-11-20T08:32:00Z',
      updatedAt: '2026-11-20T08:32:00Z',
    });

    const list = await platform.get(path).expect(200);
    expect(list.body).toMatchObject({ totalElements: 2, page: 0, size: 20, totalPages: 1 });
    expect(list.body.content[0]).toEqual({ ...body, identityLinked: false, lastSignInAt: null });

    app.clock.advance(1000);
    const renamed = name();
    const changed = await platform.patch(`${path}/${body.id}`, { username: renamed }).expect(200);
    expect(changed.body).toEqual({ ...body, username: renamed, updatedAt: '2026-11-20T08:32:01Z' });
    const emptied = await platform.patch(`${path}/${body.id}`, { permissions: [] }).expect(200);
    expect(emptied.body).toEqual({ ...changed.body, permissions: [] });
    const kept = await platform.patch(`${path}/${body.id}`, { permissions: null }).expect(200);
    expect(kept.body).toEqual(emptied.body);

    await platform.delete(`${path}/${body.id}`).expect(204);
    await platform.delete(`${path}/${body.id}`).expect(404);
    await platform.patch(`${path}/${body.id}`, { username: name() }).expect(404);
    expect((await platform.get(path)).body.totalElements).toBe(1);
  });

  it('have no permission unless given', async () => {
    const { body } = await platform.post(path, { username: name(), password: 'password' }).expect(201);
    expect(body.permissions).toEqual([]);
    const all = await platform
      .post(path, { username: name(), password: 'password', permissions: PERMISSIONS })
      .expect(201);
    expect(all.body.permissions).toEqual(PERMISSIONS);
  });

  it('are sent back as they were read, by an admin without their permissions', async () => {
    const password = 'correct horse battery staple';
    const admin = { username: name(), password, role: 'ADMIN', permissions: ['mau.view'] };
    await platform.post(path, admin).expect(201);
    const { body: session } = await platform
      .post('/api/v1/console/login', { username: admin.username, password })
      .expect(200);
    const by = consoleApi(app, session.token);
    const permissions = ['revenue.view', 'credits.view'];
    const { body: user } = await platform.post(path, { username: name(), password, permissions }).expect(201);
    const change = (sent: object, status: number) => by.patch(`${path}/${user.id}`, sent).expect(status);
    const named = await change({ name: 'Kim', permissions }, 200);
    expect(named.body).toMatchObject({ name: 'Kim', permissions });
    await change({ permissions: [...permissions, 'mau.view'] }, 200);
    await change({ permissions: [] }, 200);
    const { body: refused } = await change({ permissions }, 403);
    expect(refused).toMatchObject({ code: 'PERMISSION_DENIED', permission: 'revenue.view' });
  });

  it('have unique names across all organizations', async () => {
    const username = name();
    const user = { username, password: 'password' };
    const { body } = await platform.post(path, user).expect(201);
    const again = await platform.post(path, user).expect(409);
    expect(again.body.code).toBe('USERNAME_TAKEN');
    const { organizationId } = await createOrganization(app);
    const elsewhere = `/api/v1/console/organizations/${organizationId}/users`;
    expect((await platform.post(elsewhere, user).expect(409)).body.code).toBe('USERNAME_TAKEN');
    const other = await platform.post(elsewhere, { username: name(), password: 'password' }).expect(201);
    const renamed = await platform.patch(`${elsewhere}/${other.body.id}`, { username }).expect(409);
    expect(renamed.body.code).toBe('USERNAME_TAKEN');
    await platform.patch(`${path}/${body.id}`, { username }).expect(200);
    await platform.delete(`${path}/${body.id}`).expect(204);
    await platform.post(elsewhere, user).expect(201);
  });

  it('are listed with their last sign-in, and whether they are linked to the identity provider', async () => {
    const user = { username: name(), password: 'password' };
    const { body } = await platform.post(path, user).expect(201);
    app.clock.advance(60_000);
    const wrong = { ...user, password: 'another one' };
    await platform.post('/api/v1/console/login', wrong).expect(401);
    const listed = async () => (await platform.get(path).expect(200)).body.content[0] as object;
    expect(await listed()).toMatchObject({ id: body.id, lastSignInAt: null, identityLinked: false });
    await platform.post('/api/v1/console/login', user).expect(200);
    await app.sql(
      `INSERT INTO user_identities (issuer, subject, user_id, organization_id, created_at)
       SELECT 'https://id.example', $2, id, organization_id, $3 FROM users WHERE id = $1`,
      [body.id, user.username, app.clock.date()],
    );
    expect(await listed()).toEqual({ ...body, lastSignInAt: '2026-11-20T08:33:00Z', identityLinked: true });
  });

  it('have unique names in any letter case', async () => {
    const username = name();
    const user = { username, password: 'password' };
    const { body } = await platform.post(path, user).expect(201);
    const shouted = username.toUpperCase();
    const again = await platform.post(path, { ...user, username: shouted }).expect(409);
    expect(again.body).toMatchObject({
      code: 'USERNAME_TAKEN',
      message: `The user name ${shouted} is already taken`,
    });
    const { body: other } = await platform.post(path, { ...user, username: name() }).expect(201);
    await platform.patch(`${path}/${other.id}`, { username: shouted }).expect(409);
    const renamed = await platform.patch(`${path}/${body.id}`, { username: shouted }).expect(200);
    expect(renamed.body.username).toBe(shouted);
    const cases = Array.from({ length: 6 }, (_, n) => `all-${n % 2 ? 'Cases' : 'CASES'}-${username}`);
    const calls = await Promise.all(cases.map((each) => platform.post(path, { ...user, username: each })));
    expect(calls.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(5).fill(409)]);
  });

  it.each([
    ['username', ' abc'],
    ['username', 'kim\u200bminji'],
    ['username', 'kim\u202eminji'],
    ['username', 'kim  minji'],
    ['name', '\u200b\u2060\ufeff'],
    ['password', 'short12'],
    ['permissions', ['__proto__']],
  ])('%s can not be %j', async (field, value) => {
    const user = { username: name(), password: 'password', [field]: value };
    const { body } = await platform.post(path, user).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    expect(JSON.stringify(body)).not.toContain('short12');
    const { content } = (await platform.get(path)).body;
    const patched = await platform.patch(`${path}/${content[0].id}`, { [field]: value });
    expect(patched.status).toBe(400);
    expect(patched.body.details[0].field).toBe(field);
  });
});
