import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import request, { type Test } from 'supertest';
import { DebugSchemesHousekeeping } from '../../src/modules/sdk-web/debug-schemes-housekeeping';
import { registerApp } from '../support/apps';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { API_HOST, SHORT_HOST, TestApp } from '../support/test-app';

const PACKAGE = resolve(__dirname, '../../src/modules/sdk-web/browser');
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
const MOST_BYTES = 12 * 1024;
const REPORT = '/api/v1/sdk/web/deeplink/debug-scheme';
const UNKNOWN = '/api/v1/console/debug-schemes';

describe('the Web SDK', () => {
  let app: TestApp;
  let organization: TestOrganization;
  let appId: number;

  beforeAll(async () => {
    app = await TestApp.start();
    organization = await createOrganization(app);
    const android = { platform: 'Android', bundleId: 'com.example.first', scheme: 'FirstShop://' };
    appId = (await registerApp(organization, android)).id;
  });
  afterAll(() => app.close());

  const get = (path: string, headers: Record<string, string> = {}): Test =>
    request(app.url)
      .get(path)
      .set({ Host: API_HOST, 'Accept-Encoding': 'identity', ...headers });

  describe('its files', () => {
    it('are served for good under their version, and for a while as the latest', async () => {
      for (const host of [API_HOST, SHORT_HOST]) {
        for (const [name, lifetime] of [
          [version, 'public, max-age=31536000, immutable'],
          ['latest', 'public, max-age=300'],
        ]) {
          const { status, headers, text } = await get(`/sdk/web/${name}/waypost.js`, { Host: host });
          expect(status).toBe(200);
          expect(headers).toMatchObject({
            'content-type': 'text/javascript; charset=utf-8',
            'cache-control': lifetime,
            'access-control-allow-origin': '*',
            'cross-origin-resource-policy': 'cross-origin',
            'x-content-type-options': 'nosniff',
            vary: 'Accept-Encoding',
          });
          expect(text).toBe(readFileSync(join(PACKAGE, 'dist/waypost.js'), 'utf8'));
          expect(text).toContain(version);
        }
      }
      const module = await get(`/sdk/web/${version}/waypost.mjs`).expect(200);
      expect(module.text).toMatch(/export\{/);
      expect(module.headers['content-type']).toBe('text/javascript; charset=utf-8');
    });

    it('come compressed to those who take that, with a tag for each form', async () => {
      const path = `/sdk/web/${version}/waypost.js`;
      const plain = (await get(path).expect(200)).text;
      const tags = new Set<string>();
      for (const [accepted, coding] of [
        ['identity', undefined],
        ['gzip', 'gzip'],
        ['gzip, deflate, br', 'br'],
      ] as const) {
        const { headers, text } = await get(path, { 'Accept-Encoding': accepted }).expect(200);
        expect(headers['content-encoding']).toBe(coding);
        expect(hash('sha384', text)).toBe(hash('sha384', plain));
        const tag = headers.etag ?? '';
        tags.add(tag);
        const again = await get(path, { 'Accept-Encoding': accepted, 'If-None-Match': tag }).expect(304);
        expect(again.headers).toMatchObject({ etag: tag, 'access-control-allow-origin': '*' });
        await get(path, { 'Accept-Encoding': accepted, 'If-None-Match': '"other"' }).expect(200);
      }
      expect(tags.size).toBe(3);
      const head = await request(app.url).head(path).set('Host', API_HOST).expect(200);
      expect(Number(head.headers['content-length'])).toBeGreaterThan(1000);
    });

    it.each([
      '/sdk/web/1.12.9/waypost.js',
      `/sdk/web/${version}/package.json`,
      `/sdk/web/${version}/constructor`,
      '/sdk/web/__proto__/waypost.js',
      '/sdk/web/..%2F..%2Fbrowser/package.json',
      '/sdk/web/%00/waypost.js',
    ])('are no others: %s', async (path) => {
      const { status, headers } = await get(path);
      expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
    });

    it('are small', () => {
      const size = gzipSync(readFileSync(join(PACKAGE, 'dist/waypost.js')), { level: 9 }).length;
      process.stdout.write(`browser SDK: ${size} bytes gzipped, of ${MOST_BYTES}\n`);
      expect(size).toBeLessThanOrEqual(MOST_BYTES);
    });

    it('come with an example of a proxy, which is the one that the tests run', () => {
      const proxy = readFileSync(join(PACKAGE, 'example-proxy.mjs'), 'utf8');
      expect(readFileSync(join(PACKAGE, 'README.md'), 'utf8')).toContain(`\`\`\`js\n${proxy}\`\`\``);
    });

    it('are a package: everything that it names is in it, and it needs no other', () => {
      const { files, exports, types, dependencies } = JSON.parse(
        readFileSync(join(PACKAGE, 'package.json'), 'utf8'),
      );
      expect([files, dependencies]).toEqual([['dist'], undefined]);
      const named = [types, ...Object.values(exports).flatMap(filesOf)];
      expect(named.length).toBeGreaterThan(2);
      expect(named.filter((file) => !existsSync(join(PACKAGE, file)))).toEqual([]);
      expect(readdirSync(join(PACKAGE, 'dist')).sort()).toEqual([
        'CHANGELOG.md',
        'waypost.d.ts',
        'waypost.js',
        'waypost.mjs',
      ]);
    });
  });

  it('says its version, and where its script and its changes are', async () => {
    const { body, headers } = await get('/api/v1/sdk/web/version').expect(200);
    expect(Object.keys(body).sort()).toEqual(['changelogUrl', 'name', 'sdkUrl', 'version']);
    expect(body).toMatchObject({ version, name: 'Waypost Web SDK' });
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'ratelimit-limit': '1000' });
    const [major = 0, minor = 0] = version.split('.').map(Number);
    expect(major * 1000 + minor).toBeGreaterThanOrEqual(1013);
    for (const [address, content] of [
      [body.sdkUrl, 'Waypost'],
      [body.changelogUrl, `## ${version}`],
    ] as const) {
      const { origin, pathname } = new URL(address);
      expect(origin).toBe(`http://${API_HOST}`);
      expect((await get(pathname).buffer(true).expect(200)).text).toContain(content);
    }
  });

  describe('debug-scheme', () => {
    const report = (body: object, type = 'application/json') =>
      request(app.url)
        .post(REPORT)
        .set({ Host: API_HOST, 'Content-Type': type, Origin: 'https://shop.example' })
        .send(JSON.stringify(body));
    const listOf = async ({ organizationId }: TestOrganization) =>
      (await consoleApi(app).get(`/api/v1/console/organizations/${organizationId}/debug-schemes`).expect(200))
        .body;
    const unknown = async () => (await consoleApi(app).get(UNKNOWN).expect(200)).body.content;

    it('is shown to the organization of the app that package or scheme name', async () => {
      const full = {
        appUrl: 'firstshop://products/42',
        schemeEnd: '://',
        pathPart: 'products/42',
        androidPackage: 'com.example.first',
        appScheme: 'firstshop',
        intentUrl: 'intent://products/42#Intent;scheme=firstshop;package=com.example.first;end',
      };
      const answer = await report(full).expect(200);
      expect(answer.body).toEqual({ status: 'success', message: 'Debug information recorded' });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      await report({ appUrl: 'FIRSTSHOP://x' }, 'text/plain').expect(200);
      await report({ appScheme: 'firstshop://' }).expect(200);
      const { content, totalElements } = await listOf(organization);
      expect(totalElements).toBe(3);
      const nothing = { schemeEnd: null, pathPart: null, androidPackage: null, intentUrl: null };
      expect(content).toMatchObject([
        { ...nothing, appId, appUrl: null, appScheme: 'firstshop://' },
        { ...nothing, appId, appUrl: 'FIRSTSHOP://x', appScheme: null },
        { ...full, appId },
      ]);
      expect(content[0]).toHaveProperty('receivedAt');
      expect((await listOf(await createOrganization(app))).content).toEqual([]);
    });

    it('is nobody’s where no app is known by it, or apps of several organizations are', async () => {
      const other = await createOrganization(app);
      const taken = { platform: 'Android', bundleId: 'com.example.twice' };
      await registerApp(organization, taken);
      await registerApp(other, taken);
      const before = Number((await listOf(organization)).totalElements);
      await report({ androidPackage: 'com.example.twice', appUrl: 'nobodys://x' }).expect(200);
      await report({ androidPackage: 'com.example.twice', appScheme: 'firstshop' }).expect(200);
      await report({}).expect(200);
      expect((await listOf(organization)).totalElements).toBe(before + 1);
      expect((await listOf(other)).totalElements).toBe(0);
      expect(await unknown()).toMatchObject([{ appUrl: null }, { appUrl: 'nobodys://x', appId: null }]);
    });

    it('is kept for 24 hours', async () => {
      app.clock.set('2030-03-01T00:00:00Z');
      await report({ androidPackage: 'com.example.first' }).expect(200);
      app.clock.set('2030-03-01T23:59:59.999Z');
      await app.get(DebugSchemesHousekeeping).purge();
      expect((await listOf(organization)).totalElements).toBe(1);
      app.clock.set('2030-03-02T00:00:00Z');
      expect((await listOf(organization)).totalElements).toBe(0);
      app.clock.set('2030-03-02T00:10:00Z');
      expect(await app.get(DebugSchemesHousekeeping).purge()).toBe(true);
      expect(await app.sql('SELECT 1 FROM debug_schemes')).toEqual([]);
      app.clock.run();
    });

    it('keeps the newest of what floods an organization', async () => {
      await app.sql(
        `INSERT INTO debug_schemes (organization_id, received_at, app_url)
         SELECT $1, $2, n FROM generate_series(1, 10005) AS n`,
        [organization.organizationId, app.clock.date()],
      );
      await app.sql(`UPDATE scheduled_jobs SET last_run_at = NULL WHERE name = 'debug-schemes.purge'`);
      await app.get(DebugSchemesHousekeeping).purge();
      const { totalElements, content } = await listOf(organization);
      expect([totalElements, content[0].appUrl]).toEqual([10_000, '10005']);
    });
  });
});

/** Files that an entry of `exports` names. */
function filesOf(entry: unknown): string[] {
  return typeof entry === 'string' ? [entry] : Object.values(entry as Record<string, string>);
}
