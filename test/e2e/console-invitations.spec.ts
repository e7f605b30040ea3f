import { BrowserSession } from '../support/browser-session';
import { consoleApi, createOrganization, signIn } from '../support/factories';
import { API_HOST, perTest, useTestApp } from '../support/test-app';

const ME = '/api/v1/console/me';
const HOUR = 3_600_000;
const NO_INVITATION = [404, 'INVITATION_NOT_FOUND'];

describe('console: invitations', () => {
  const app = useTestApp();
  const second = useTestApp(() => ({ database: app.database }));
  let people = 0;
  let networks = 0;
  let ip: string;

  beforeEach(() => {
    for (const at of [app, second]) at.clock.set('2026-11-20T08:32:00Z');
    ip = `198.51.100.${++networks}`;
  });
  const own = perTest(() => createOrganization(app, { name: 'Acme' }));
  const admin = perTest(() => signIn(app, own));
  const path = () => `${own.consolePath}/invitations`;

  const person = () => ({ username: `invited-${++people}`, password: 'a new password' });
  const browser = (at = app) => new BrowserSession(at).from(ip);

  async function invite(fields: object = {}, by = admin) {
    const { body } = await by.post(path(), fields).expect(201);
    const { id, url } = body as { id: number; url: string };
    return { id, url, link: `/api/v1/console/invitations/${url.split('/').at(-1)}` };
  }

  const outcome = ({ status, body }: { status: number; body: unknown }) => [
    status,
    (body as { code?: string }).code,
  ];

  it('are made with a link that is shown once', async () => {
    const email = ' Lee.Jisoo@Shop.example.com';
    const { body } = await admin
      .post(path(), { email, role: 'EDITOR', permissions: ['mau.view', 'mau.view'] })
      .expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      email: 'lee.jisoo@shop.example.com',
      role: 'EDITOR',
      permissions: ['mau.view'],
      createdBy: own.userId,
      createdAt: '2026-11-20T08:32:00Z',
      expiresAt: '2026-11-23T08:32:00Z',
      url: expect.stringMatching(
        /^http:\/\/api\.waypost\.test\/console\/invitations\/wp_invitation_[\w-]{43}$/,
      ),
    });
    const { url, ...shown } = body as { url: string };
    const list = await admin.get(path()).expect(200);
    expect(list.body).toMatchObject({ totalElements: 1, content: [shown] });
    expect(list.text).not.toContain('wp_invitation_');
    const token = url.split('/').at(-1) ?? '';
    const rows = await app.sql('SELECT i::text, encode(token_hash, $1) FROM invitations i', ['escape']);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('show the person where they lead, and let them in with a password', async () => {
    const { link } = await invite({ email: 'one@shop.example.com', permissions: ['mau.view'] });
    const visitor = browser();
    const shown = await visitor.send('get', link);
    expect(shown.body).toMatchObject({
      organizationName: 'Acme',
      email: 'one@shop.example.com',
      expiresAt: '2026-11-23T08:32:00Z',
    });

    const { username, password } = person();
    const accepted = await visitor.send('post', `${link}/accept`, { username, password, name: 'Lee Ji-soo' });
    expect(accepted.status).toBe(201);
    expect(accepted.body).toMatchObject({
      username,
      name: 'Lee Ji-soo',
      email: 'one@shop.example.com',
      emailConfirmed: true,
      role: 'VIEWER',
      permissions: ['mau.view'],
      organizationId: own.organizationId,
    });
    expect((await visitor.send('get', ME)).body).toEqual(accepted.body);
    const sessions = await visitor.send('get', '/api/v1/console/sessions');
    expect(sessions.body.content).toEqual([
      expect.objectContaining({ openedBy: 'INVITATION', current: true }),
    ]);
    await consoleApi(app).post('/api/v1/console/login', { username, password }).expect(200);
    expect((await admin.get(path())).body.totalElements).toBe(0);
  });

  it('are good once for many at a time, over two processes', async () => {
    const { link } = await invite();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        browser(i % 2 ? app : second).send('post', `${link}/accept`, person()),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(7).fill(404)]);
    const users = await admin.get(path().replace('invitations', 'users'));
    expect(users.body.totalElements).toBe(2);
  });

  it('are good for 72 hours', async () => {
    const { link } = await invite();
    app.clock.advance(72 * HOUR - 1000);
    expect((await browser().send('get', link)).status).toBe(200);
    app.clock.advance(1000);
    expect(outcome(await browser().send('get', link))).toEqual(NO_INVITATION);
    expect(outcome(await browser().send('post', `${link}/accept`, person()))).toEqual(NO_INVITATION);
    expect((await consoleApi(app).get(path())).body.totalElements).toBe(0);
  });

  it('can be revoked', async () => {
    const { id, link } = await invite();
    await admin.delete(`${path()}/${id}`).expect(204);
    await admin.delete(`${path()}/${id}`).expect(404);
    expect(outcome(await browser().send('get', link))).toEqual(NO_INVITATION);
    expect(outcome(await browser().send('post', `${link}/accept`, person()))).toEqual(NO_INVITATION);
  });

  it('end with the user who made them, and with the organization', async () => {
    const first = await invite();
    const kept = await invite({}, consoleApi(app));
    const users = path().replace('invitations', 'users');
    await consoleApi(app)
      .post(users, { ...person(), role: 'ADMIN' })
      .expect(201);
    await consoleApi(app).delete(`${users}/${own.userId}`).expect(204);
    expect(outcome(await browser().send('get', first.link))).toEqual(NO_INVITATION);
    expect((await browser().send('get', kept.link)).status).toBe(200);
    await consoleApi(app).delete(own.consolePath).expect(204);
    expect(outcome(await browser().send('get', kept.link))).toEqual(NO_INVITATION);
    expect(outcome(await browser().send('post', `${kept.link}/accept`, person()))).toEqual(NO_INVITATION);
  });

  it('end with the role of the user who made them', async () => {
    const { link } = await invite({ role: 'ADMIN' });
    const users = path().replace('invitations', 'users');
    await consoleApi(app)
      .post(users, { ...person(), role: 'ADMIN' })
      .expect(201);
    await admin.patch(`${users}/${own.userId}`, { name: 'Kim' }).expect(200);
    expect((await browser().send('get', link)).status).toBe(200);
    await consoleApi(app).patch(`${users}/${own.userId}`, { role: 'EDITOR' }).expect(200);
    expect(outcome(await browser().send('get', link))).toEqual(NO_INVITATION);
  });

  it('are worth nothing of a user who is no longer ADMIN, however the one crossed the other', async () => {
    const { link } = await invite({ role: 'ADMIN' });
    await app.sql("UPDATE users SET role = 'EDITOR' WHERE id = $1", [own.userId]);
    expect(outcome(await browser().send('get', link))).toEqual(NO_INVITATION);
    expect(outcome(await browser().send('post', `${link}/accept`, person()))).toEqual(NO_INVITATION);
  });

  it('give no permission that the one who made them has lost', async () => {
    const { link } = await invite({ permissions: ['mau.view', 'revenue.view'] });
    await app.sql('UPDATE users SET permissions = $2 WHERE id = $1', [own.userId, ['revenue.view']]);
    const { body } = await browser().send('post', `${link}/accept`, person());
    expect(body).toMatchObject({ permissions: ['revenue.view'] });
  });

  it('stay open when the user name is taken, or the answer is bad', async () => {
    const { link } = await invite();
    const taken = { username: own.username, password: 'a new password' };
    expect(outcome(await browser().send('post', `${link}/accept`, taken))).toEqual([409, 'USERNAME_TAKEN']);
    const bad = await browser().send('post', `${link}/accept`, { ...person(), password: 'short' });
    expect(bad.body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'password' }] });
    expect((await browser().send('post', `${link}/accept`, person())).status).toBe(201);
  });

  it('need an address that nobody has', async () => {
    const email = 'taken@shop.example.com';
    const { link } = await invite({ email });
    const late = await invite({ email });
    await browser().send('post', `${link}/accept`, person());
    const again = await admin.post(path(), { email: 'TAKEN@shop.example.com' }).expect(409);
    expect(again.body.code).toBe('EMAIL_TAKEN');
    expect(outcome(await browser().send('post', `${late.link}/accept`, person()))).toEqual([
      409,
      'EMAIL_TAKEN',
    ]);
  });

  it('give no more than the one who invites has', async () => {
    for (const role of ['EDITOR', 'ADMIN'] as const) {
      const poor = await createOrganization(app, { role, permissions: ['mau.view'] });
      const by = await signIn(app, poor);
      const invitations = `${poor.consolePath}/invitations`;
      const refused = await by.post(invitations, { permissions: ['revenue.view'] }).expect(403);
      expect(refused.body.code).toBe(role === 'ADMIN' ? 'PERMISSION_DENIED' : 'ROLE_REQUIRED');
      await by.get(invitations).expect(role === 'ADMIN' ? 200 : 403);
      await by
        .post(invitations, { role: 'ADMIN', permissions: ['mau.view'] })
        .expect(role === 'ADMIN' ? 201 : 403);
    }
  });

  it('are accepted from pages of the service alone', async () => {
    const { link } = await invite();
    for (const Origin of ['https://evil.example', 'null', `http://${API_HOST}:81`]) {
      const answer = await browser().send('post', `${link}/accept`, person(), { Origin });
      expect(outcome(answer)).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect((await browser().send('get', link)).status).toBe(200);
  });

  it.each<Record<string, string>>([
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
    { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
    { Accept: 'image/avif,image/webp,*/*;q=0.8' },
  ])('count for nobody when a page of another site embeds them: %j', async (headers) => {
    const { link } = await invite();
    const wrong = '/api/v1/console/invitations/wp_invitation_guess';
    for (const path of [link, ...Array<string>(60).fill(wrong)]) {
      const answer = await browser().send('get', path, undefined, headers);
      expect(outcome(answer)).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    }
    expect((await browser().send('get', link)).status).toBe(200);
  });

  it('cannot be guessed: wrong tokens count as failed logins of the network', async () => {
    const { link } = await invite();
    const wrong = '/api/v1/console/invitations/wp_invitation_guess';
    for (let i = 0; i < 25; i++) {
      expect(outcome(await browser().send('get', wrong))).toEqual(NO_INVITATION);
      expect(outcome(await browser(second).send('post', `${wrong}/accept`, person()))).toEqual(NO_INVITATION);
    }
    const locked = await browser().send('get', link);
    expect(outcome(locked)).toEqual([429, 'RATE_LIMITED']);
    expect(locked.headers['retry-after']).toBe('900');
    const { username, password } = own;
    const login = { username, password };
    expect((await browser().send('post', '/api/v1/console/sessions', login)).status).toBe(429);
    ip = '203.0.113.77';
    expect((await browser().send('get', link)).status).toBe(200);
  });

  it('are audited: made, revoked, accepted', async () => {
    const { id, link } = await invite({ email: 'audited@shop.example.com' });
    await browser().send('post', `${link}/accept`, person());
    const revoked = await invite();
    await admin.delete(`${path()}/${revoked.id}`).expect(204);
    const { body, text } = await admin
      .get(path().replace('invitations', 'audit-log?resourceType=invitation'))
      .expect(200);
    const entries = (body.content as { action: string; resourceId: string; actor: { type: string } }[]).map(
      ({ action, resourceId, actor }) => [action, resourceId, actor.type],
    );
    expect(entries).toEqual([
      ['invitation.revoke', String(revoked.id), 'USER'],
      ['invitation.create', String(revoked.id), 'USER'],
      ['invitation.accept', String(id), 'USER'],
      ['invitation.create', String(id), 'USER'],
    ]);
    expect(text).not.toMatch(/wp_invitation_|audited@/);
  });
});
