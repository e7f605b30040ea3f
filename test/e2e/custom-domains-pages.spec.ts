import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config';
import { DomainConsole } from '../support/domains';
import { heard } from '../support/eventually';
import { consoleApi, createOrganization } from '../support/factories';
import { createDomain, createLink } from '../support/links';
import { perSuite, SHORT_HOST, TestApp, useTestApp } from '../support/test-app';
import { GOOGLEBOT, visit, type VisitOptions } from '../support/visits';

const URLS = {
  rootUrl: 'https://www.shop.example.com/?from=links',
  notFoundUrl: 'https://www.shop.example.com/찾을-수-없음',
  expiredUrl: 'https://스토어.example/over',
};
const LOCATIONS = {
  rootUrl: 'https://www.shop.example.com/?from=links',
  notFoundUrl: 'https://www.shop.example.com/%EC%B0%BE%EC%9D%84-%EC%88%98-%EC%97%86%EC%9D%8C',
  expiredUrl: 'https://xn--9t4b29cuvp.example/over',
};

describe("a custom domain's own pages", () => {
  const file = join(mkdtempSync(join(tmpdir(), 'waypost-deny-')), 'hosts');
  beforeAll(() => writeFileSync(file, 'bad.example\n'));
  const app = useTestApp({ env: { DESTINATION_DENY_LIST: file } });
  const second = useTestApp(() => ({ database: app.database }));
  let made = 0;

  const organization = perSuite(() => createOrganization(app, { name: 'Acme' }));
  const console = new DomainConsole(app, organization);

  async function domain(status = 'ACTIVE') {
    const host = `go-${++made}.acme.example`;
    const id = await createDomain(app, organization, host, status);
    const get = (path: string, options: VisitOptions = {}) => visit(app, path, { host, ...options });
    const link = async (body: object = {}) => {
      const { id: linkId, shortUrl } = await createLink(organization, { customDomainId: id, ...body });
      return { id: linkId, path: `/${shortUrl}` };
    };
    return { id, host, get, link };
  }
  const locationOf = async (test: ReturnType<typeof visit>) => {
    const { status, headers, text } = await test;
    expect([302, headers['cache-control']]).toEqual([status, 'private, no-store']);
    expect(text || '').toBe('');
    return headers.location as string;
  };

  it('are the service’s by default', async () => {
    const { get } = await domain();
    expect((await get('/').expect(200)).text).toContain('<h1>Short links</h1>');
    expect((await get('/').expect(200)).text).toContain('<bdi>Acme</bdi>');
    expect((await get('/nothing').expect(404)).text).toContain('<bdi>Acme</bdi>');
  });

  it('redirect to the configured URLs, for GET and HEAD, people and bots', async () => {
    const { id, get, link } = await domain();
    const { body } = await console.update(id, URLS).expect(200);
    expect(body).toMatchObject({ id, ...URLS });
    expect((await console.list().expect(200)).body.content[0]).toMatchObject(URLS);
    const expired = await link({ expirationDate: '2999-01-01' });
    await app.alter(`UPDATE links SET expires_at = '2000-01-01' WHERE id = $1`, [expired.id]);
    const usedUp = await link({ maxClicks: 1 });
    await app.alter('UPDATE links SET used_clicks = 1 WHERE id = $1', [usedUp.id]);
    for (const options of [{}, { method: 'head' }, { userAgent: GOOGLEBOT }] as VisitOptions[]) {
      expect(await locationOf(get('/', options))).toBe(LOCATIONS.rootUrl);
      expect(await locationOf(get('/?utm_source=x', options))).toBe(LOCATIONS.rootUrl);
      for (const path of ['/nothing', '/a/b/c', '/c/none', '/%00', '/.env'])
        expect(await locationOf(get(path, options))).toBe(LOCATIONS.notFoundUrl);
      for (const { path } of [expired, usedUp])
        expect(await locationOf(get(path, options))).toBe(LOCATIONS.expiredUrl);
    }
    const locked = await link({ password: 'open sesame', expirationDate: '2999-01-01' });
    await app.alter(`UPDATE links SET expires_at = '2000-01-01' WHERE id = $1`, [locked.id]);
    expect(await locationOf(get(locked.path, { method: 'post' }))).toBe(LOCATIONS.expiredUrl);
  });

  it('do not affect links, files and methods other than GET', async () => {
    const { id, get, link } = await domain();
    await console.update(id, URLS).expect(200);
    const { path } = await link();
    expect((await get(path).expect(302)).headers.location).toBe('https://shop.example.com/spring');
    await get('/robots.txt').expect(200);
    await get('/favicon.ico').expect(200);
    await get('/.well-known/assetlinks.json').expect(200);
    await get('/', { method: 'post' }).expect(405);
    await get('/', { method: 'put' }).expect(405);
    await get('/nothing', { method: 'post' }).expect(405);
    await visit(app, '/', { host: SHORT_HOST }).expect(200);
    await visit(app, '/nothing', { host: SHORT_HOST }).expect(404);
  });

  it('change in the fields supplied, on every process, and are removed with null', async () => {
    const { id, host } = await domain();
    const on = (path: string) => visit(second, path, { host });
    await on('/').expect(200);
    await on('/nothing').expect(404);
    await console.update(id, URLS).expect(200);
    await heard(async () => expect(await locationOf(on('/'))).toBe(LOCATIONS.rootUrl));
    const { body } = await console.update(id, { notFoundUrl: null }).expect(200);
    expect(body).toMatchObject({ ...URLS, notFoundUrl: null });
    await heard(() => on('/nothing').expect(404));
    expect(await locationOf(on('/'))).toBe(LOCATIONS.rootUrl);
    expect((await console.update(id, {}).expect(200)).body).toEqual(body);
    const path = `${organization.consolePath}/audit-log`;
    const log = await consoleApi(app).get(`${path}?resourceType=custom_domain&resourceId=${id}`).expect(200);
    expect(log.body.content).toMatchObject([
      { action: 'custom_domain.update', changes: { notFoundUrl: { from: URLS.notFoundUrl, to: null } } },
      { action: 'custom_domain.update', changes: { rootUrl: { from: null, to: URLS.rootUrl } } },
    ]);
  });

  describe.each(['rootUrl', 'notFoundUrl', 'expiredUrl'])('%s', (field) => {
    it.each([
      ['VALIDATION_FAILED', 'http://shop.example.com/'],
      ['DESTINATION_NOT_ALLOWED', 'https://user@shop.example.com/'],
      ['DESTINATION_NOT_ALLOWED', 'https://www.bad.example/'],
      ['DESTINATION_NOT_ALLOWED', `https://${SHORT_HOST}/x`],
    ])('is %s for %j', async (code, value) => {
      const { id, get } = await domain();
      await console.update(id, { rootUrl: 'https://shop.example.com/' }).expect(200);
      const { body } = await console.update(id, { expiredUrl: null, [field]: value }).expect(400);
      expect(body).toMatchObject({ code, details: [{ field }] });
      expect(await locationOf(get('/'))).toBe('https://shop.example.com/');
    });

    it.each(['ACTIVE', 'PENDING'])(
      'leads to no short domain, itself included, while it is %s',
      async (status) => {
        const other = await domain();
        const { id, host } = await domain(status);
        for (const value of [
          `https://${host}/x`,
          `https://${host.toUpperCase()}.:8443/`,
          `https://${other.host}/`,
        ]) {
          const { body } = await console.update(id, { [field]: value }).expect(400);
          expect(body).toMatchObject({ code: 'DESTINATION_NOT_ALLOWED', details: [{ field }] });
        }
      },
    );
  });
});

describe('pages of the default short domain', () => {
  const env = {
    SHORT_ROOT_URL: 'https://www.shop.example.com/',
    SHORT_NOT_FOUND_URL: 'https://www.shop.example.com/not-found',
    SHORT_EXPIRED_URL: 'https://www.shop.example.com/over',
  };

  it('redirect as configured in the settings', async () => {
    const app = await TestApp.start({ env });
    const organization = await createOrganization(app);
    const { id, shortUrl } = await createLink(organization, { expirationDate: '2999-01-01' });
    await app.alter(`UPDATE links SET expires_at = '2000-01-01' WHERE id = $1`, [id]);
    const locationOf = async (path: string) =>
      (await visit(app, path).expect(302)).headers.location as string;
    expect(await locationOf('/')).toBe(env.SHORT_ROOT_URL);
    expect(await locationOf('/nothing')).toBe(env.SHORT_NOT_FOUND_URL);
    expect(await locationOf(new URL(shortUrl).pathname)).toBe(env.SHORT_EXPIRED_URL);
    await visit(app, '/x', { host: 'nobody.example' }).expect(404);
    await app.close();
  });

  it.each(Object.keys(env))('%s leads elsewhere, by a URL of the web', (name) => {
    const base = { SHORT_URL_BASE: 'https://go.example.com' };
    expect(() => readConfig({ ...base, [name]: 'https://GO.example.com/x' })).toThrow(name);
    expect(() => readConfig({ ...base, [name]: 'www.example.com' })).toThrow(name);
    expect(() => readConfig({ ...base, [name]: 'javascript:alert(1)' })).toThrow(name);
    expect(readConfig({ ...base, [name]: '' }).shortDomain).toEqual({
      rootUrl: null,
      notFoundUrl: null,
      expiredUrl: null,
    });
  });
});
