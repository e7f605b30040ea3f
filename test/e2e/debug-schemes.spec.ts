import request from 'supertest';
import { DebugSchemesService } from '../../src/modules/sdk-web/debug-schemes.service';
import { registerApp } from '../support/apps';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { API_HOST, perSuite, useTestApp } from '../support/test-app';

const REPORT = '/api/v1/sdk/web/deeplink/debug-scheme';
const UNKNOWN = '/api/v1/console/debug-schemes';

describe('debug-scheme', () => {
  const app = useTestApp();
  let appId: number;

  const organization = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    const android = { platform: 'Android', bundleId: 'com.example.first', scheme: 'FirstShop://' };
    appId = (await registerApp(organization, android)).id;
  });

  const report = (body: object, type = 'application/json') =>
    request(app.url)
      .post(REPORT)
      .set({ Host: API_HOST, 'Content-Type': type, Origin: 'https://shop.example' })
      .send(JSON.stringify(body));
  const listOf = async ({ organizationId }: TestOrganization) =>
    (await consoleApi(app).get(`/api/v1/console/organizations/${organizationId}/debug-schemes`).expect(200))
      .body;
  const unknown = async () => (await consoleApi(app).get(UNKNOWN).expect(200)).body.content;

  it('is shown to the organization of the app with that package or scheme', async () => {
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

  it('belongs to nobody without a known app, or with apps of several organizations', async () => {
    const other = await createOrganization(app);
    const taken = { platform: 'Android', bundleId: 'com.example.twice' };
    await registerApp(organization, taken);
    await registerApp(other, taken);
    const before = Number((await listOf(organization)).totalElements);
    await report({ androidPackage: 'com.example.twice', appUrl: 'nobodys://x' }).expect(200);
    await report({ androidPackage: 'com.example.twice', appScheme: 'firstshop' }).expect(200);
    await report({ schemeEnd: '://' }).expect(200);
    expect((await listOf(organization)).totalElements).toBe(before + 1);
    expect((await listOf(other)).totalElements).toBe(0);
    expect(await unknown()).toMatchObject([{ appUrl: null }, { appUrl: 'nobodys://x', appId: null }]);
  });

  it('is kept for 24 hours', async () => {
    app.clock.set('2030-03-01T00:00:00Z');
    await report({ androidPackage: 'com.example.first' }).expect(200);
    app.clock.set('2030-03-01T23:59:59.999Z');
    await app.get(DebugSchemesService).purge();
    expect((await listOf(organization)).totalElements).toBe(1);
    app.clock.set('2030-03-02T00:00:00Z');
    expect((await listOf(organization)).totalElements).toBe(0);
    app.clock.set('2030-03-02T00:10:00Z');
    expect(await app.get(DebugSchemesService).purge()).toBe(true);
    expect(await app.sql('SELECT 1 FROM debug_schemes')).toEqual([]);
    app.clock.run();
  });

  it('keeps the newest when an organization is flooded', async () => {
    await app.sql(
      `INSERT INTO debug_schemes (organization_id, received_at, app_url)
       SELECT $1, $2, n FROM generate_series(1, 10005) AS n`,
      [organization.organizationId, app.clock.date()],
    );
    await app.sql(`UPDATE scheduled_jobs SET last_run_at = NULL WHERE name = 'debug-schemes.purge'`);
    await app.get(DebugSchemesService).purge();
    const { totalElements, content } = await listOf(organization);
    expect([totalElements, content[0].appUrl]).toEqual([10_000, '10005']);
  });
});
