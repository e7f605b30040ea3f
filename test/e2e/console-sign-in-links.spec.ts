import { SignInLinks } from '../../src/access/sign-in-links/sign-in-links.service';
import { BrowserSession } from '../support/browser-session';
import { consoleApi, createOrganization } from '../support/factories';
import { perTest, useTestApp } from '../support/test-app';

const BY_LINK = '/api/v1/console/sessions/by-link';
const ME = '/api/v1/console/me';
const HOUR = 3_600_000;
const INVALID = [401, 'SIGN_IN_LINK_INVALID'];

describe('console: sign-in links', () => {
  const lines: string[] = [];
  const logged = { logTo: { write: (line: string) => void lines.push(line) }, env: { LOG_LEVEL: 'trace' } };
  const app = useTestApp(logged);
  const second = useTestApp(() => ({ database: app.database }));
  let networks = 0;
  let ip: string;

  beforeEach(() => {
    for (const at of [app, second]) at.clock.set('2026-11-20T08:32:00Z');
    ip = `198.51.100.${++networks}`;
  });
  const own = perTest(() => createOrganization(app));

  const browser = (at = app) => new BrowserSession(at).from(ip);
  const create = async (username = own.username) => {
    const url = await app.get(SignInLinks).create({ username });
    expect(url).toMatch(/^http:\/\/api\.waypost\.test\/console\/sign-in#token=wp_sign_in_[\w-]{43}$/);
    return { token: url?.split('=')[1] ?? '' };
  };
  const outcome = async (body: object, at = app) => {
    const answer = await browser(at).send('post', BY_LINK, body);
    return [answer.status, (answer.body as { code?: string }).code];
  };

  it('open a session in a cookie, as a password does', async () => {
    const visitor = browser();
    const answer = await visitor.send('post', BY_LINK, await create());
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ username: own.username, organizationId: own.organizationId });
    expect(answer.text).not.toContain(visitor.cookie('waypost_session'));
    expect((await visitor.send('get', ME)).body).toEqual(answer.body);
    const sessions = await visitor.send('get', '/api/v1/console/sessions');
    expect(sessions.body.content).toEqual([expect.objectContaining({ openedBy: 'LINK', current: true })]);
  });

  it('are good once', async () => {
    const link = await create();
    expect(await outcome(link)).toEqual([201, undefined]);
    expect(await outcome(link)).toEqual(INVALID);
  });

  it('are good once for a hundred at a time, over two processes', async () => {
    const link = await create();
    // Each from its own network, whose failures count.
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        new BrowserSession(i % 2 ? app : second).from(`203.0.113.${i}`).send('post', BY_LINK, link),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(99).fill(401)]);
    const [row] = await app.sql(
      `SELECT count(*)::int AS sessions FROM console_sessions WHERE user_id = $1 AND opened_by = 'LINK'`,
      [own.userId],
    );
    expect(row).toEqual({ sessions: 1 });
  });

  it('are good for 24 hours', async () => {
    const [inTime, late] = [await create(), await create()];
    app.clock.advance(24 * HOUR - 1);
    expect(await outcome(inTime)).toEqual([201, undefined]);
    app.clock.advance(1);
    expect(await outcome(late)).toEqual(INVALID);
  });

  it('are refused alike when unknown, malformed or of nobody', async () => {
    expect(await outcome({ token: 'wp_sign_in_x' })).toEqual(INVALID);
    expect(await outcome({})).toEqual([400, 'VALIDATION_FAILED']);
    expect(await outcome({ token: 'x'.repeat(101) })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await app.get(SignInLinks).create({ username: 'nobody-at-all' })).toBeNull();
    const elsewhere = { username: own.username, organizationId: own.organizationId + 1 };
    expect(await app.get(SignInLinks).create(elsewhere)).toBeNull();
  });

  it('end with the user, with their organization, with a new password and with all their sessions', async () => {
    const users = `${own.consolePath}/users`;
    const admin = consoleApi(app);
    const other = { username: `other-${own.userId}`, password: 'correct horse battery staple' };
    const { body } = await admin.post(users, other).expect(201);
    const id = (body as { id: number }).id;
    const byPassword = await create(other.username);
    await admin.patch(`${users}/${id}`, { password: 'another horse battery staple' }).expect(200);
    expect(await outcome(byPassword)).toEqual(INVALID);
    const bySessions = await create(other.username);
    await admin.delete(`${users}/${id}/sessions`).expect(204);
    expect(await outcome(bySessions)).toEqual(INVALID);
    const byUser = await create(other.username);
    await admin.delete(`${users}/${id}`).expect(204);
    expect(await outcome(byUser)).toEqual(INVALID);
    const byOrganization = await create();
    await admin.delete(own.consolePath).expect(204);
    expect(await outcome(byOrganization)).toEqual(INVALID);
    expect(await app.get(SignInLinks).create({ username: own.username })).toBeNull();
  });

  it('count wrong ones as failed logins of their network', async () => {
    for (let i = 0; i < 50; i++) await outcome({ token: `guess-${i}` });
    expect(await outcome(await create())).toEqual([429, 'RATE_LIMITED']);
  });

  it('need an Origin of the service', async () => {
    const link = await create();
    const foreign = await browser().send('post', BY_LINK, link, { Origin: 'https://evil.example' });
    expect(foreign.body).toMatchObject({ status: 403, code: 'ORIGIN_NOT_ALLOWED' });
    expect(await outcome(link)).toEqual([201, undefined]);
  });

  it('are stored as a hash, and never logged', async () => {
    const { token } = await create();
    await outcome({ token });
    await outcome({ token });
    await outcome({ token: `${token}${'x'.repeat(100)}` });
    await outcome({ token: [token] });
    await browser().send('get', `${BY_LINK}/${token}`);
    await browser().send('post', `${BY_LINK}?token=${token}`, { token });
    const rows = await app.sql('SELECT l::text, encode(token_hash, $1) FROM sign_in_links l', ['escape']);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(lines.join('')).toContain('sessions/by-link');
    expect(lines.join('')).not.toContain(token);
  });
});

describe('console: sign-in links without passwords', () => {
  const app = useTestApp({
    env: {
      PASSWORD_LOGIN: 'false',
      OIDC_ISSUER: 'https://sso.example.com',
      OIDC_CLIENT_ID: 'waypost',
      OIDC_CLIENT_SECRET: 'a secret of the client',
    },
  });

  it('sign in all the same', async () => {
    const { username } = await createOrganization(app);
    const url = await app.get(SignInLinks).create({ username });
    const answer = await new BrowserSession(app).send('post', BY_LINK, { token: url?.split('=')[1] });
    expect(answer.status).toBe(201);
  });
});
