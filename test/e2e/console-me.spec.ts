import { consoleApi, createOrganization, signIn } from '../support/factories';
import { perTest, useTestApp } from '../support/test-app';

const ME = '/api/v1/console/me';
const LOGIN = '/api/v1/console/login';

describe('console: the own account', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  let addresses = 0;
  const address = () => `someone${++addresses}@shop.example.com`;
  const own = perTest(() =>
    createOrganization(app, { name: 'Acme', role: 'EDITOR', permissions: ['mau.view'] }),
  );
  const users = () => `${own.consolePath}/users`;
  const me = perTest(() => signIn(app, own));

  it('is shown with its organization', async () => {
    const { body } = await me.get(ME).expect(200);
    expect(body).toEqual({
      id: own.userId,
      username: own.username,
      name: null,
      email: null,
      emailConfirmed: false,
      role: 'EDITOR',
      permissions: ['mau.view'],
      createdAt: '2026-11-20T08:32:00Z',
      updatedAt: '2026-11-20T08:32:00Z',
      hasPassword: true,
      organizationId: own.organizationId,
      organizationName: 'Acme',
    });
  });

  it('changes its name without the password, and its user name with it', async () => {
    const username = `${own.username}-renamed`;
    const { body: named } = await me.patch(ME, { username: own.username, name: 'Kim Minji' }).expect(200);
    expect(named).toMatchObject({ id: own.userId, username: own.username, name: 'Kim Minji' });
    const { body: refused } = await me.patch(ME, { username }).expect(400);
    expect(refused.details).toEqual([{ field: 'currentPassword', message: 'is required for this change' }]);
    const renamed = { username, currentPassword: own.password };
    expect((await me.patch(ME, renamed).expect(200)).body).toMatchObject({ username });
    expect((await me.patch(ME, { username: null, name: null }).expect(200)).body).toMatchObject({
      username,
      name: null,
    });
    await signIn(app, { ...own, username });
  });

  it('cannot change its permissions', async () => {
    const { body } = await me.patch(ME, { permissions: ['revenue.view'], name: 'Kim' }).expect(200);
    expect(body.permissions).toEqual(['mau.view']);
  });

  it.each([
    ['password', { password: 'another password' }],
    ['address', { email: 'new@shop.example.com' }],
  ])('asks for the current password to change the %s', async (_, change) => {
    for (const given of [undefined, null, '', 'a wrong one']) {
      for (const path of [ME, `${users()}/${own.userId}`]) {
        const { body } = await me.patch(path, { ...change, currentPassword: given }).expect(400);
        expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'currentPassword' }] });
      }
    }
    expect((await me.get(ME)).body.email).toBeNull();
    await signIn(app, own);
    await me.patch(ME, { ...change, currentPassword: own.password }).expect(200);
  });

  it('counts wrong current passwords as failed logins', async () => {
    const change = { password: 'another password', currentPassword: 'a wrong one' };
    for (let i = 0; i < 10; i++) await me.patch(ME, change).expect(400);
    const refused = await me.patch(ME, { ...change, currentPassword: own.password }).expect(429);
    expect(refused.headers['retry-after']).toBe('900');
    const { username, password } = own;
    await consoleApi(app).post(LOGIN, { username, password }).expect(429);
  });

  it('ends the other sessions with a new password, and keeps its own', async () => {
    const other = await signIn(app, own);
    const change = { password: 'another password', currentPassword: own.password };
    await me.patch(ME, change).expect(200);
    await other.get(ME).expect(401);
    await me.get(ME).expect(200);
    await signIn(app, { ...own, password: 'another password' });
  });

  it('has an address in lower case, which can be removed', async () => {
    const email = '  Kim.Minji@SHOP.example.com ';
    const { body } = await me.patch(ME, { email, currentPassword: own.password }).expect(200);
    expect(body.email).toBe('kim.minji@shop.example.com');
    // The same address again is no change.
    await me.patch(ME, { email: 'KIM.minji@shop.example.com' }).expect(200);
    await me.patch(ME, { email: null }).expect(400);
    const removed = await me.patch(ME, { email: null, currentPassword: own.password }).expect(200);
    expect(removed.body.email).toBeNull();
  });

  it('has an address that is confirmed once an ADMIN has set it', async () => {
    const email = address();
    const { body } = await me.patch(ME, { email, currentPassword: own.password }).expect(200);
    expect(body.emailConfirmed).toBe(false);
    const path = `${users()}/${own.userId}`;
    const set = await consoleApi(app).patch(path, { email }).expect(200);
    expect(set.body.emailConfirmed).toBe(true);
    expect((await me.patch(ME, { email }).expect(200)).body.emailConfirmed).toBe(true);
    const change = { email: address(), currentPassword: own.password };
    expect((await me.patch(ME, change).expect(200)).body.emailConfirmed).toBe(false);
  });

  it('shares its address with nobody, in any organization and any case', async () => {
    const email = address();
    const user = { username: `${own.username}-2`, password: 'a password', email };
    await consoleApi(app).post(users(), user).expect(201);
    const other = await createOrganization(app);
    const foreign = await signIn(app, other);
    const change = { email: email.toUpperCase(), currentPassword: other.password };
    expect((await foreign.patch(ME, change).expect(409)).body.code).toBe('EMAIL_TAKEN');
    const again = { ...user, username: `${own.username}-3`, email: email.toUpperCase() };
    expect((await consoleApi(app).post(users(), again).expect(409)).body.code).toBe('EMAIL_TAKEN');
  });

  it('asks for no current password where there is none', async () => {
    await app.sql('UPDATE users SET password_hash = NULL WHERE id = $1', [own.userId]);
    const { username, password } = own;
    await consoleApi(app).post(LOGIN, { username, password }).expect(401);
    expect((await me.get(ME)).body.hasPassword).toBe(false);
    await me.patch(ME, { password: 'the first password' }).expect(200);
    await signIn(app, { ...own, password: 'the first password' });
  });

  it.each([
    ['email', 'nobody'],
    ['email', `${'x'.repeat(65)}@shop.example.com`],
    ['name', ' Kim'],
  ])('%s can not be %j', async (field, value) => {
    const { body } = await me.patch(ME, { [field]: value });
    expect(body).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', details: [{ field }] });
  });

  it('leaves neither addresses nor passwords in the audit log', async () => {
    const email = address();
    const change = { name: 'Kim', email, password: 'another password', currentPassword: own.password };
    await me.patch(ME, change).expect(200);
    const { body } = await consoleApi(app).get(`${own.consolePath}/audit-log?action=user.update`).expect(200);
    expect(body.content).toHaveLength(1);
    expect(body.content[0]).toMatchObject({
      actor: { type: 'USER', id: own.userId },
      changes: { name: { from: null, to: 'Kim' }, email: { from: null, to: '***' } },
    });
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${email}|another password`));
  });
});
