import { openAppPage } from '../support/app-pages';
import { registerApp } from '../support/apps';
import { appApi, createOrganization } from '../support/factories';
import { codeOf, createLink } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const MOBILE = '/api/v1/sdk/mobile';
const PASSWORD = 'open sesame';

describe('links with a password, in the Mobile SDK API', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const own = perSuite(() => createOrganization(app));
  const ios = perSuite(() => registerApp(own));
  const api = appApi(app, ios);

  const make = (body = {}) => createLink(own, { iosAppId: ios.id, password: PASSWORD, ...body });
  const resolve = (path: string, password?: string, query: object = {}) =>
    api
      .get(`${MOBILE}/deeplink/resolve-shorturl/${path}`)
      .set(password === undefined ? {} : { 'X-Link-Password': encodeURIComponent(password) })
      .query(query);
  const click = (shortCode: string, body: object = {}) =>
    api.post(`${MOBILE}/clicks/url`, { shortCode, ...body });
  const refused = ({ status, body }: { status: number; body: { code?: string } }, code: string) => {
    expect([status, body.code]).toEqual([403, code]);
    expect(JSON.stringify(body)).not.toMatch(/shop\.example|sesame/);
  };

  it('reveal no destination without it', async () => {
    const code = codeOf(await make());
    for (const path of [code, `${ios.path}/${code}`]) {
      refused(await resolve(path), 'LINK_PASSWORD_REQUIRED');
      refused(await resolve(path, ''), 'LINK_PASSWORD_REQUIRED');
      refused(await resolve(path, 'wrong'), 'LINK_PASSWORD_WRONG');
      refused(await click(path), 'LINK_PASSWORD_REQUIRED');
      refused(await click(path, { password: null }), 'LINK_PASSWORD_REQUIRED');
      refused(await click(path, { password: 'wrong' }), 'LINK_PASSWORD_WRONG');
    }
    const { body } = await click(code, { password: 'x'.repeat(101) }).expect(400);
    expect(body.details[0].field).toBe('password');
    expect(await app.sql('SELECT 1 FROM reengagements')).toEqual([]);
  });

  it('resolve with it, in any script', async () => {
    for (const password of [PASSWORD, 'ü%41&한글=100%']) {
      const code = codeOf(await make({ password }));
      expect((await resolve(code, password).expect(200)).body.originalUrl).toContain('https://');
      expect((await click(code, { password }).expect(200)).body.originalUrl).toContain('https://');
    }
    const open = codeOf(await make({ password: null }));
    await resolve(open, 'any').expect(200);
    await click(open, { password: 'any' }).expect(200);
  });

  it('use up no visit without it', async () => {
    const code = codeOf(await make({ maxClicks: 1 }));
    for (let i = 0; i < 3; i++) refused(await click(code, { password: 'wrong' }), 'LINK_PASSWORD_WRONG');
    await click(code, { password: PASSWORD }).expect(200);
    await click(code, { password: PASSWORD }).expect(404);
  });

  it('refuse more than ten wrong ones in ten minutes, including those on the page', async () => {
    const link = await make();
    const code = codeOf(link);
    const person = { ipAddress: '198.51.100.1' };
    for (let i = 0; i < 5; i++) refused(await resolve(code, 'wrong', person), 'LINK_PASSWORD_WRONG');
    for (let i = 0; i < 5; i++) {
      await visit(app, `/${code}`, { method: 'post', ip: person.ipAddress })
        .type('form')
        .send({ password: 'wrong' })
        .expect(403);
    }
    const late = await resolve(code, PASSWORD, person).expect(429);
    expect([late.body.code, late.headers['retry-after']]).toEqual(['RATE_LIMITED', '600']);
    await click(code, { password: PASSWORD, ...person }).expect(429);
    await resolve(code, PASSWORD, { ipAddress: '198.51.100.2' }).expect(200);
    app.clock.advance(600_000);
    await resolve(code, PASSWORD, person).expect(200);
  });

  it('refuse a hundred wrong ones from a server that reports many IP addresses', async () => {
    const code = codeOf(await make());
    const guess = (i: number, password: string) =>
      click(code, { password, ipAddress: `198.51.100.${i}` }).set('X-Forwarded-For', '192.0.2.1');
    for (let i = 0; i < 100; i++) refused(await guess(i, 'wrong'), 'LINK_PASSWORD_WRONG');
    await guess(200, PASSWORD).expect(429);
  });

  it('need none with a token, because the page has asked for it', async () => {
    const link = await make();
    const token = await openAppPage(app, own, { trackedLinkId: link.id, appIds: [ios.id] });
    const { body } = await api.get(`${MOBILE}/deeplink/match`, { token }).expect(200);
    expect(body.originalUrl).toContain('https://');
    expect((await resolve(codeOf(link), undefined, { token }).expect(200)).body.sessionId).toBe(
      body.sessionId,
    );
    refused(await resolve(codeOf(link), undefined, { token: 'x' }), 'LINK_PASSWORD_REQUIRED');
  });
});
