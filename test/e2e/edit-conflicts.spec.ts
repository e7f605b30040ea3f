import request from 'supertest';
import { registerApp } from '../support/apps';
import { createOrganization, tokenOf } from '../support/factories';
import { createCampaign } from '../support/campaigns';
import { createLink } from '../support/links';
import { fill, OpenApi, type Route } from '../support/openapi';
import { Resources } from '../support/resources';
import { CONSOLE_TOKEN, perSuite, useTestApp } from '../support/test-app';

type Body = Record<string, unknown>;

/** A change of each operation, of which every number makes another one. */
const CHANGES: Record<string, (n: number) => Body> = {
  updateShortUrl: (n) => ({ title: `Title ${n}` }),
  saveShortUrlByExternalId: (n) => ({ url: 'https://shop.example.com', title: `Title ${n}` }),
  updateCampaign: (n) => ({ name: `Name ${n}` }),
  saveCampaignByExternalId: (n) => ({ name: `Name ${n}`, originalUrl: 'https://shop.example.com' }),
  updateApp: (n) => ({ appName: `App ${n}` }),
  updateContact: (n) => ({ name: `Name ${n}` }),
  saveContactByExternalId: (n) => ({ name: `Name ${n}` }),
  updateGroup: (n) => ({ name: `Group ${n}` }),
  updateSegment: (n) => ({ name: `Segment ${n}` }),
  updateCustomDomain: (n) => ({ rootUrl: `https://shop.example.com/${n}` }),
  updateWebhook: (n) => ({ url: `https://hooks.example.com/${n}` }),
  updateUser: (n) => ({ name: `Name ${n}` }),
  updateMe: (n) => ({ name: `Name ${n}` }),
  updateApiKey: (n) => ({ name: `Key ${n}` }),
  updateOrganization: (n) => ({ name: `Organization ${n}` }),
  updateAppSettings: (n) => ({ sdkRatePerMinute: 1000 + n }),
  updateLinkSettings: (n) => ({ deduplication: { enabled: true, windowMinutes: n } }),
  updateCampaignSettings: (n) => ({ deduplication: { enabled: true, windowMinutes: n } }),
  updateQrSettings: (n) => ({ presets: [{ name: `Posters ${n}` }] }),
};

const ofService = (route: Route) => route.operationId.replace(/^([a-z]+)Organization(?=[A-Z])/, '$1');

describe('An edit', () => {
  const app = useTestApp();
  let resources: Resources;
  let token: string;
  let appId: number;
  let linkId: number;
  let campaignId: number;
  let n = 0;

  beforeAll(() => app.clock.set('2026-11-20T08:32:00Z'));
  const api = perSuite(() => OpenApi.of(app));
  const org = perSuite(() => createOrganization(app, { allowList: ['127.0.0.1'] }));
  beforeAll(async () => {
    const registered = await registerApp(org, { bundleId: 'com.example.edits' });
    appId = registered.id;
    resources = await Resources.make(app, api, org, registered);
    linkId = (await createLink(org)).id;
    campaignId = (await createCampaign(org)).id;
    token = await tokenOf(app, org);
    await app.sql('UPDATE organizations SET service_rate_per_minute = 100000 WHERE id = $1', [
      org.organizationId,
    ]);
  });

  const editsOf = () => api.routes().filter(({ method }) => method === 'put' || method === 'patch');
  const isChecked = (route: Route) => (route.parameters ?? []).some(({ name }) => name === 'If-Match');
  /** Settings are below paths that create nothing. */
  const valuesOf = (route: Route) => {
    const kind = /^update(Link|Campaign)Settings$/.exec(ofService(route))?.[1];
    const twin = api.routes().find(({ method, path }) => {
      const service = route.path.replace(
        '/api/v1/console/organizations/{organizationId}/',
        '/api/v1/service/',
      );
      return path === service && method === route.method;
    });
    const values = { ...resources.valuesFor(twin ?? route), organizationId: org.organizationId };
    if (route.path.includes('/mobile-apps/')) return { ...values, id: appId };
    return kind ? { ...values, id: kind === 'Link' ? linkId : campaignId } : values;
  };
  const call = (route: Route, method: 'get' | 'put' | 'patch', headers: Record<string, string> = {}) => {
    const test = request(app.url)[method](fill(route.path, valuesOf(route)));
    void test.set('Host', 'api.waypost.test').set(headers);
    return route.scheme === 'apiKey'
      ? test.set('X-API-KEY', org.apiKey)
      : test.set(
          'Authorization',
          `Bearer ${route.operationId === 'updateMe' || route.operationId === 'getMe' ? token : CONSOLE_TOKEN}`,
        );
  };
  const edit = (route: Route, headers: Record<string, string> = {}, more: Body = {}) => {
    const change = CHANGES[ofService(route)];
    if (!change) throw new Error(`No change of ${route.operationId}`);
    return call(route, route.method as 'put' | 'patch', headers).send({ ...change(++n), ...more });
  };

  it('is checked by every operation that changes a resource', () => {
    const unchecked = editsOf().filter((route) => !isChecked(route));
    // Both are commands of the platform, and set all that there is.
    for (const { operationId } of unchecked) expect(operationId).toMatch(/^disable|^bookAddOn$/);
    expect(editsOf().length - unchecked.length).toBeGreaterThan(20);
  });

  it('is refused when what is stored is newer than what its sender saw', async () => {
    for (const route of editsOf().filter(isChecked)) {
      const of = (status: number, message: string) => [route.operationId, message, status];
      app.clock.advance(2000);
      const first = await edit(route);
      expect(of(first.status, first.text)).toEqual(of(first.status < 300 ? first.status : 200, first.text));
      const seen = first.headers.etag ?? '';
      expect([route.operationId, seen]).toEqual([route.operationId, expect.stringMatching(/^"[\w-]{22}"$/)]);
      const get = api.routes().find(({ method, path }) => method === 'get' && path === route.path);
      const read = get && (await call(route, 'get', { 'If-None-Match': seen }).expect(200));
      if (read) expect([route.operationId, read.headers.etag]).toEqual([route.operationId, seen]);

      const second = await edit(route, { 'If-Match': seen });
      expect(of(second.status, second.text)).toEqual(of(200, second.text));
      expect([route.operationId, second.headers.etag]).not.toEqual([route.operationId, seen]);
      const late = await edit(route, { 'If-Match': seen });
      expect(of(late.status, late.text)).toEqual(of(409, late.text));
      expect(late.body).toMatchObject({ code: 'EDIT_CONFLICT', stored: second.body });
      expect([route.operationId, late.headers.etag]).toEqual([route.operationId, second.headers.etag]);
      const [field = ''] = Object.keys(CHANGES[ofService(route)]?.(n) ?? {}).filter(
        (name) => name in second.body,
      );
      expect(late.body.details).toContainEqual(
        expect.objectContaining({
          field,
          stored: second.body[field],
          sent: CHANGES[ofService(route)]?.(n)[field],
        }),
      );

      const { updatedAt } = second.body as { updatedAt?: string };
      if (updatedAt === undefined) continue;
      app.clock.advance(2000);
      const third = await edit(route, {}, { updatedAt });
      expect(of(third.status, third.text)).toEqual(of(200, third.text));
      const outdated = await edit(route, {}, { updatedAt });
      expect(of(outdated.status, outdated.text)).toEqual(of(409, outdated.text));
      const { body } = await edit(route, {}, { updatedAt: 'yesterday' }).expect(400);
      expect(body.details[0].field).toBe('updatedAt');
    }
  });

  it('of several at once from the same state is made once', async () => {
    for (const route of editsOf().filter(isChecked)) {
      const seen = (await edit(route)).headers.etag ?? '';
      const answers = await Promise.all([1, 2, 3, 4].map(() => edit(route, { 'If-Match': seen })));
      const statuses = answers.map(({ status }) => status).sort();
      expect([route.operationId, statuses]).toEqual([route.operationId, [200, 409, 409, 409]]);
    }
  });

  it('without a state, or with any, is made as ever', async () => {
    const route = editsOf().find(({ operationId }) => operationId === 'updateShortUrl') as Route;
    const { headers, body } = await call(route, 'get').expect(200);
    await edit(route).expect(200);
    await edit(route, { 'If-Match': '*' }).expect(200);
    await edit(route, {}, { updatedAt: null }).expect(200);
    await edit(route, { 'If-Match': headers.etag ?? '' }).expect(409);
    const now = (await edit(route)).headers.etag ?? '';
    await edit(route, { 'If-Match': `"x", W/${now}` }).expect(200);
    const values = { id: Number.MAX_SAFE_INTEGER };
    const of = (id: string | number) =>
      org.api.put(`/api/v1/service/urls/${id}`).set('If-Match', now).send({ title: 'x' });
    await of(values.id).expect(404);
    await of('x').expect(400);
    // Clicks are no edits.
    const seen = (await edit(route)).headers.etag ?? '';
    await app.sql(
      `INSERT INTO click_totals (organization_id, tracked_link_id, kind, slot, clicks, bot_clicks) VALUES ($1, $2, 1, 1, 3, 0)`,
      [org.organizationId, (body as { id: number }).id],
    );
    expect((await call(route, 'get')).headers.etag).toBe(seen);
    // Refused by its content, it changes nothing.
    await edit(route, { 'If-Match': seen }, { originalUrl: 'ftp://x' }).expect(400);
    expect((await call(route, 'get')).headers.etag).toBe(seen);
  });
});
