import request from 'supertest';
import { BrowserSession } from '../support/browser-session';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { API_HOST, CONSOLE_TOKEN, TestApp, useTestApp } from '../support/test-app';
import { CHROME, IPHONE } from '../support/visits';

const LOGIN = '/api/v1/console/login';
const SESSIONS = '/api/v1/console/sessions';
const LOGOUT = '/api/v1/console/logout';
const ME = '/api/v1/console/me';
const ORIGIN = `http://${API_HOST}`;
const COOKIE = 'waypost_session';

/** What a page elsewhere can make a browser send as Origin. */
const FOREIGN: [string, string | undefined][] = [
  ['none', undefined],
  ['null', 'null'],
  ['another site', 'https://evil.example'],
  ['another port', `${ORIGIN}:8080`],
  ['another scheme', `https://${API_HOST}`],
  ['a subdomain', `http://evil.${API_HOST}`],
  ['a domain that begins with it', `${ORIGIN}.evil.example`],
  ['the short domain', 'http://go.waypost.test'],
  ['a path', `${ORIGIN}/`],
  ['nothing', ''],
];

describe('console sessions', () => {
  const app = useTestApp();
  let own: TestOrganization;
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:10Z');
    own = await createOrganization(app);
  });

  const login = async (userAgent = CHROME) => {
    const { username, password } = own;
    const { body } = await request(app.url)
      .post(LOGIN)
      .set({ Host: API_HOST, 'User-Agent': userAgent })
      .send({ username, password })
      .expect(200);
    return consoleApi(app, (body as { token: string }).token);
  };

  const signIn = async (origin?: string, at = app) => {
    const browser = new BrowserSession(at, origin);
    const { username, password } = own;
    const answer = await browser.send('post', SESSIONS, { username, password });
    expect(answer.status).toBe(201);
    return { browser, answer };
  };

  describe('are seen and ended by their user', () => {
    it('with browser, system and last call to the minute', async () => {
      const phone = await login(IPHONE);
      const laptop = await login();
      app.clock.advance(5 * 60_000);
      await phone.get(ME).expect(200);
      const { body } = await laptop.get(SESSIONS).expect(200);
      expect(body).toMatchObject({ totalElements: 2, page: 0 });
      expect(body.content).toEqual([
        {
          id: expect.any(Number),
          current: true,
          openedBy: 'PASSWORD',
          browser: 'Chrome',
          operatingSystem: expect.any(String),
          createdAt: '2026-11-20T08:32:10Z',
          lastSeenAt: '2026-11-20T08:37:00Z',
          expiresAt: '2026-11-20T20:32:10Z',
        },
        expect.objectContaining({
          current: false,
          browser: 'Mobile Safari',
          operatingSystem: 'iOS',
          lastSeenAt: '2026-11-20T08:37:00Z',
        }),
      ]);
    });

    it('which are written once a minute, whatever is called', async () => {
      const api = await login();
      await Promise.all(Array.from({ length: 10 }, () => api.get(ME).expect(200)));
      const version = async () =>
        (
          await app.sql<{ xmin: string }>('SELECT xmin::text FROM console_sessions WHERE user_id = $1', [
            own.userId,
          ])
        )[0]?.xmin;
      const before = await version();
      await api.get(ME).expect(200);
      expect(await version()).toBe(before);
      app.clock.advance(60_000);
      await api.get(ME).expect(200);
      expect(await version()).not.toBe(before);
    });

    it('without an address', async () => {
      await login();
      const rows = await app.sql('SELECT * FROM console_sessions WHERE user_id = $1', [own.userId]);
      expect(JSON.stringify(rows)).not.toContain('127.0.0.1');
    });

    it('one by one', async () => {
      const [first, second] = [await login(), await login()];
      const { content } = (await second.get(SESSIONS)).body as {
        content: { id: number; current: boolean }[];
      };
      const other = content.find(({ current }) => !current)?.id ?? 0;
      await second.delete(`${SESSIONS}/${other}`).expect(204);
      await first.get(ME).expect(401);
      await second.delete(`${SESSIONS}/${other}`).expect(404);
      await second.get(ME).expect(200);
    });

    it('but not by others', async () => {
      const mine = await login();
      const [session] = (await mine.get(SESSIONS)).body.content as { id: number }[];
      own = await createOrganization(app);
      const others = await login();
      await others.delete(`${SESSIONS}/${session?.id}`).expect(404);
      await mine.get(ME).expect(200);
    });

    it('by logging out', async () => {
      const [first, second] = [await login(), await login()];
      const { body } = await first.post(LOGOUT).expect(200);
      expect(body).toEqual({ signOutUrl: null });
      await first.get(ME).expect(401);
      await first.post(LOGOUT).expect(401);
      expect((await second.get(SESSIONS)).body.totalElements).toBe(1);
    });

    it('while they last', async () => {
      await login();
      app.clock.advance(12 * 3_600_000);
      const now = await login();
      expect((await now.get(SESSIONS)).body.totalElements).toBe(1);
    });

    it('and are none of the platform token', async () => {
      const platform = consoleApi(app);
      for (const call of [platform.get(SESSIONS), platform.delete(`${SESSIONS}/1`), platform.post(LOGOUT)]) {
        expect((await call.expect(403)).body.code).toBe('USER_REQUIRED');
      }
    });
  });

  describe('of others', () => {
    const pathOf = ({ organizationId, userId }: TestOrganization) =>
      `/api/v1/console/organizations/${organizationId}/users/${userId}/sessions`;

    it('are all ended by an ADMIN, and audited', async () => {
      const sessions = [await login(), await login()];
      const [admin] = sessions;
      await consoleApi(app).delete(pathOf(own)).expect(204);
      for (const api of sessions) await api.get(ME).expect(401);
      await consoleApi(app).delete(pathOf(own)).expect(204);
      const log = `${own.consolePath}/audit-log?action=user.end_sessions`;
      expect((await consoleApi(app).get(log)).body.totalElements).toBe(1);
      await admin?.delete(pathOf(own)).expect(401);
    });
  });

  describe('of browsers', () => {
    it('are a cookie, and no token in the answer', async () => {
      const { answer } = await signIn();
      expect(answer.body).toMatchObject({ id: own.userId, organizationId: own.organizationId });
      expect(JSON.stringify(answer.body)).not.toContain('wp_console_');
      const [cookie = ''] = answer.headers['set-cookie'] as unknown as string[];
      expect(cookie).toMatch(
        /^waypost_session=wp_console_[\w-]{43}; Path=\/; Expires=Fri, 20 Nov 2026 20:32:10 GMT; HttpOnly; SameSite=Lax$/,
      );
    });

    it('are a cookie of this host alone with HTTPS', async () => {
      const secure = await TestApp.start({
        database: app.database,
        env: { BASE_URL: `https://${API_HOST}` },
      });
      const { browser, answer } = await signIn(`https://${API_HOST}`, secure);
      const [cookie = ''] = answer.headers['set-cookie'] as unknown as string[];
      expect(cookie).toMatch(
        /^__Host-waypost_session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect((await browser.send('get', ME)).status).toBe(200);
      const plain = { Cookie: `${COOKIE}=${browser.cookie('__Host-waypost_session')}` };
      await request(secure.url)
        .get(ME)
        .set({ Host: API_HOST, ...plain })
        .expect(401);
      await secure.close();
    });

    it('read and change as a token does', async () => {
      const { browser } = await signIn();
      expect((await browser.send('get', ME)).body.id).toBe(own.userId);
      expect((await browser.send('patch', ME, { name: 'Kim' })).body.name).toBe('Kim');
      const { body } = await browser.send('get', SESSIONS);
      expect(body.content).toEqual([expect.objectContaining({ current: true, openedBy: 'PASSWORD' })]);
    });

    it('end with the cookie', async () => {
      const { browser } = await signIn();
      const kept = browser.cookie(COOKIE);
      expect((await browser.send('post', LOGOUT)).status).toBe(200);
      expect(browser.cookie(COOKIE)).toBeUndefined();
      expect((await browser.send('get', ME, undefined, { Cookie: `${COOKIE}=${kept}` })).status).toBe(401);
    });

    it('end with the session, by whatever way', async () => {
      const { browser } = await signIn();
      const { body } = await browser.send('get', SESSIONS);
      const [{ id }] = body.content as [{ id: number }];
      expect((await browser.send('delete', `${SESSIONS}/${id}`)).status).toBe(204);
      expect(browser.cookie(COOKIE)).toBeUndefined();
    });

    it('do not count when the call has an Authorization header', async () => {
      const { browser } = await signIn();
      expect((await browser.send('get', ME, undefined, { Authorization: 'Bearer wrong' })).status).toBe(401);
      const other = await createOrganization(app);
      own = other;
      const { body } = await consoleApi(app).post(LOGIN, {
        username: other.username,
        password: other.password,
      });
      const bearer = { Authorization: `Bearer ${(body as { token: string }).token}`, Origin: 'null' };
      const { body: who } = await browser.send('patch', ME, { name: 'Other' }, bearer);
      expect(who).toMatchObject({ id: other.userId, name: 'Other' });
    });

    it.each([
      ['the platform token', CONSOLE_TOKEN],
      ['an unknown one', 'wp_console_unknown'],
      ['nothing', ''],
    ])('cannot be %s', async (_, value) => {
      const headers = { Host: API_HOST, Cookie: `a=b; ${COOKIE}=${value}; c=d` };
      const { body } = await request(app.url).get('/api/v1/console/organizations').set(headers).expect(401);
      expect(body.code).toBe('CONSOLE_TOKEN_INVALID');
    });

    it('count among the failures of logins', async () => {
      const browser = new BrowserSession(app);
      const wrong = { username: own.username, password: 'a wrong one' };
      for (let i = 0; i < 10; i++) expect((await browser.send('post', SESSIONS, wrong)).status).toBe(401);
      const { username, password } = own;
      expect((await browser.send('post', SESSIONS, { username, password })).status).toBe(429);
      await consoleApi(app).post(LOGIN, { username, password }).expect(429);
    });
  });

  describe('against forged requests', () => {
    const plain = (cookie: string, origin: string | undefined) => ({
      Host: API_HOST,
      Cookie: cookie,
      ...(origin !== undefined && { Origin: origin }),
    });

    it.each(FOREIGN)('change nothing with the origin: %s', async (_, origin) => {
      const { browser } = await signIn();
      const headers = plain(`${COOKIE}=${browser.cookie(COOKIE)}`, origin);
      const users = `${own.consolePath}/users`;
      const before = (await browser.send('get', users)).body as unknown;
      const calls = [
        request(app.url).patch(ME).set(headers).send({ name: 'Forged' }),
        request(app.url).post(users).set(headers).send({ username: 'forged-user', password: 'a password' }),
        request(app.url).patch(`${users}/${own.userId}`).set(headers).send({ name: 'Forged' }),
        request(app.url).delete(`${users}/${own.userId}`).set(headers),
        request(app.url).post(LOGOUT).set(headers),
        request(app.url)
          .post(users)
          .set(headers)
          .type('form')
          .send({ username: 'forged', password: 'forged12' }),
        request(app.url).post(users).set(headers).type('text/plain').send('{"username":"forged"}'),
      ];
      for (const call of calls) {
        const { status, body } = await call;
        expect([status, (body as { code: string }).code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
      }
      expect((await browser.send('get', users)).body).toEqual(before);
      expect((await browser.send('get', ME)).body.name).toBeNull();
    });

    it.each(FOREIGN)('sign nobody in with the origin: %s', async (_, origin) => {
      const { username, password } = own;
      for (const type of ['json', 'form']) {
        const answer = await request(app.url)
          .post(SESSIONS)
          .set(plain('a=b', origin))
          .type(type)
          .send({ username, password });
        expect([answer.status, (answer.body as { code: string }).code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    });

    it('read from anywhere, because pages elsewhere cannot see the answer', async () => {
      const { browser } = await signIn();
      const headers = plain(`${COOKIE}=${browser.cookie(COOKIE)}`, 'https://evil.example');
      const { headers: answered } = await request(app.url).get(ME).set(headers).expect(200);
      expect(Object.keys(answered).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    });
  });
});
