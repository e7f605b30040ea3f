import { connect } from 'node:net';
import { createOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { codeOf, createApp, createDomain, createLink, URLS, VALID_LINK } from '../support/links';
import { perSuite, SHORT_HOST, TestApp, useTestApp } from '../support/test-app';
import { GOOGLEBOT, visit, type VisitOptions } from '../support/visits';

const PASSWORD = 'open sesame';

describe('links with a password', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const org = perSuite(() => createOrganization(app));

  const make = async (body: object = {}) => {
    const link = await createLink(org, { password: PASSWORD, ...body });
    return { ...link, path: new URL(link.shortUrl).pathname };
  };
  const type = (path: string, password: string, options: VisitOptions = {}, on = app) =>
    visit(on, path, { method: 'post', ...options })
      .type('form')
      .send({ password });
  const cookieOf = (answer: { headers: Record<string, string | undefined> }) =>
    String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const enter = async (path: string, password = PASSWORD) => cookieOf(await type(path, password).expect(303));
  const withCookie = (path: string, Cookie: string, on = app) => visit(on, path, { headers: { Cookie } });

  it('show that they have one, but never the password', async () => {
    const link = await make();
    expect(link).toMatchObject({ hasPassword: true });
    expect(await createLink(org)).toMatchObject({ hasPassword: false });
    expect(JSON.stringify((await org.api.get(`${URLS}/${link.id}`)).body)).not.toContain('sesame');
    const rows = await app.sql('SELECT * FROM links WHERE id = $1', [link.id]);
    expect(JSON.stringify(rows)).not.toContain('sesame');
    expect(rows[0]?.password_hash).toMatch(/^scrypt\$/);
  });

  it('ask for it on a page that works without scripts and hides the destination', async () => {
    const { path } = await make({ title: 'Secret title', ogTitle: 'Secret preview' });
    for (const userAgent of [undefined, GOOGLEBOT, 'facebookexternalhit/1.1']) {
      const page = await visit(app, `${path}?a=1`, userAgent ? { userAgent } : {}).expect(200);
      expect(page.text).toContain('<form method="post">');
      expect(page.text).not.toMatch(/secret|shop\.example|<script/i);
      const policy = page.headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("form-action 'self' https: http:;");
      expect(page.headers['cache-control']).toBe('private, no-store');
    }
    expect((await visit(app, path, { method: 'head' }).expect(200)).text).toBeUndefined();
  });

  it('continue with the right one: back to the same URL with a cookie, and on from there', async () => {
    const { id, path } = await make();
    const entered = await type(`${path}?a=1&b=%C3%BC`, PASSWORD).expect(303);
    expect(entered.headers.location).toBe(`${path}?a=1&b=%C3%BC`);
    expect(String(entered.headers['set-cookie'])).toMatch(
      new RegExp(`^waypost_link=\\d+\\.[\\w-]{43}; Path=${path}; Max-Age=3600; HttpOnly; SameSite=Lax$`),
    );
    const cookie = cookieOf(entered);
    const redirectRequest = await withCookie(`${path}?a=1`, `x=1; ${cookie}; y=2`).expect(302);
    expect(redirectRequest.headers.location).toBe(`${VALID_LINK.url}?a=1`);
    await eventually(async () => {
      const { body } = await org.api.get(`${URLS}/${id}`);
      expect(body.clickCount).toBe(1);
    });
  });

  it('accept the cookie for an hour, on every process, for no other link', async () => {
    const { path } = await make();
    const second = await make();
    const other = await TestApp.start({ database: app.database });
    other.clock.set(app.clock.date());
    const cookie = await enter(path);
    await withCookie(path, cookie, other).expect(302);
    await withCookie(second.path, cookie).expect(200);
    await withCookie(path, `${cookie}x`).expect(200);
    await withCookie(
      path,
      cookie.replace(/=\d+/, (expiry) => `=${Number(expiry.slice(1)) + 60}`),
    ).expect(200);
    await withCookie(path, 'waypost_link=; waypost_link=1.x; waypost_link').expect(200);
    app.clock.advance(3599_000);
    await withCookie(path, cookie).expect(302);
    app.clock.advance(1000);
    await withCookie(path, cookie).expect(200);
    await other.close();
  });

  it('invalidate the cookie when the password is changed, set again or removed', async () => {
    const { id, path } = await make();
    const put = async (body: object) => (await org.api.put(`${URLS}/${id}`, body).expect(200)).body;
    const cookie = await enter(path);
    expect(await put({ title: 'x' })).toMatchObject({ hasPassword: true });
    await withCookie(path, cookie).expect(302);
    await put({ password: 'another one' });
    await withCookie(path, cookie).expect(200);
    await type(path, PASSWORD).expect(403);
    const fresh = await enter(path, 'another one');
    await put({ password: 'another one' });
    await withCookie(path, fresh).expect(200);
    expect(await put({ password: null })).toMatchObject({ hasPassword: false });
    await visit(app, path).expect(302);
    await type(path, PASSWORD).expect(405);
    const entries = await app.sql<{ changes: unknown }>(
      `SELECT changes FROM audit_log WHERE action = 'link.update' AND resource_id = $1 ORDER BY id`,
      [String(id)],
    );
    expect(entries.map(({ changes }) => changes)).toEqual([
      { title: { from: null, to: 'x' } },
      { password: { from: 'set', to: 'set' } },
      { password: { from: 'set', to: 'set' } },
      { password: { from: 'set', to: null } },
    ]);
  });

  it('report a wrong one', async () => {
    const { path } = await make();
    for (const wrong of ['open Sesame', 'x', '', '"><script>alert(1)</script>', 'p'.repeat(3000)]) {
      const page = await type(path, wrong).expect(403);
      expect(page.text).toContain('role="alert"');
      expect(page.text).toContain('Incorrect password');
      expect(page.text).not.toContain('alert(1)');
      expect(page.headers['set-cookie']).toBeUndefined();
    }
    await enter(path);
  });

  it('accept passwords as typed, in any script', async () => {
    const password = 'Straße+ü%41&한글=100%';
    const { path } = await make({ password });
    await enter(path, password.normalize('NFD'));
    const long = await make({ password: '한'.repeat(100) });
    await enter(long.path, '한'.repeat(100));
  });

  it('refuse more than ten wrong ones in ten minutes, per link and network', async () => {
    const { path } = await make();
    const second = await make();
    const from = (ip: string, password: string, to = path) => type(to, password, { ip });
    for (let i = 0; i < 5; i++) await from('198.51.100.1', PASSWORD).expect(303);
    for (let i = 0; i < 10; i++) await from('198.51.100.1', 'wrong').expect(403);
    const refused = await from('198.51.100.1', PASSWORD).expect(429);
    expect(refused.headers['retry-after']).toBe('600');
    expect(refused.text).toContain('10 minutes');
    const other = await TestApp.start({ database: app.database });
    other.clock.set(app.clock.date());
    await type(path, PASSWORD, { ip: '198.51.100.1' }, other).expect(429);
    await other.close();
    await from('198.51.100.2', PASSWORD).expect(303);
    await from('198.51.100.1', PASSWORD, second.path).expect(303);
    app.clock.advance(600_000);
    await from('198.51.100.1', PASSWORD).expect(303);
    const statuses = await Promise.all(
      Array.from({ length: 15 }, (_, i) =>
        from(`2001:db8:7:7::${i + 1}`, 'wrong').then(({ status }) => status),
      ),
    );
    expect(statuses.filter((status) => status === 403)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  it('answer a POST without one, and other methods, with 405', async () => {
    const plain = new URL((await createLink(org)).shortUrl).pathname;
    for (const path of [plain, '/nothing', '/', '/robots.txt', '/a/b/c'])
      await type(path, PASSWORD).expect(405);
    const { path } = await make();
    for (const method of ['put', 'delete', 'options'] as const)
      await visit(app, path, { method }).expect(405);
  });

  it('refuse anything but a small form', async () => {
    const { path } = await make();
    const post = (contentType: string, body: string) =>
      visit(app, path, { method: 'post', headers: { 'Content-Type': contentType } }).send(body);
    await post('application/json', `{"password":"${PASSWORD}"}`).expect(415);
    await post('multipart/form-data; boundary=x', 'x').expect(415);
    await post('application/x-www-form-urlencoded', `a=${'x'.repeat(4096)}&password=open+sesame`).expect(413);
    await post('application/x-www-form-urlencoded', '').expect(403);
    await post('application/x-www-form-urlencoded; charset=utf-8', '%00%FF&&==&password=%').expect(403);
    await post('application/x-www-form-urlencoded', 'password=open+sesame').expect(303);
  });

  it('survive an aborted form', async () => {
    const { path } = await make();
    const { port } = new URL(app.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${SHORT_HOST}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
        'Content-Length: 100\r\n\r\npassw',
    );
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await enter(path);
  });

  it('expire, are used up, and are deleted like others', async () => {
    const { id, path } = await make({ maxClicks: 1, expirationDate: '2026-11-21' });
    const cookie = await enter(path);
    await visit(app, path).expect(200);
    await withCookie(path, cookie).expect(302);
    await withCookie(path, cookie).expect(410);
    await visit(app, path).expect(200);
    app.clock.set('2026-11-22T00:00:00Z');
    await visit(app, path).expect(410);
    await type(path, PASSWORD).expect(410);
    await org.api.delete(`${URLS}/${id}`).expect(204);
    await visit(app, path).expect(404);
    await type(path, PASSWORD).expect(405);
  });

  it('set a secure cookie for visitors over https', async () => {
    const { path } = await make();
    const answer = await type(path, PASSWORD, { headers: { 'X-Forwarded-Proto': 'https' } }).expect(303);
    expect(String(answer.headers['set-cookie'])).toMatch(/; Secure$/);
    const untrusting = await TestApp.start({ database: app.database, env: { TRUST_PROXY: '10.0.0.1' } });
    untrusting.clock.set(app.clock.date());
    const plain = await type(
      path,
      PASSWORD,
      { headers: { 'X-Forwarded-Proto': 'https' } },
      untrusting,
    ).expect(303);
    expect(String(plain.headers['set-cookie'])).not.toContain('Secure');
    await untrusting.close();
  });

  it('are required under an app path and on a custom domain as well', async () => {
    const iosAppId = await createApp(app, org, 'iOS', 'locked-app');
    const link = await make({ iosAppId });
    expect(link.path).toBe(`/locked-app/${codeOf(link)}`);
    const answer = await type(`${link.path}/`, PASSWORD).expect(303);
    expect(String(answer.headers['set-cookie'])).toContain(`Path=${link.path};`);
    const customDomainId = await createDomain(app, org, 'locked.example', 'VERIFIED');
    const own = await createLink(org, { password: PASSWORD, customDomainId });
    await visit(app, `/${own.shortUrl}`, { host: 'locked.example' }).expect(200);
    await type(`/${own.shortUrl}`, PASSWORD, { host: 'locked.example' }).expect(303);
  });
});
