import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import request from 'supertest';
import { ERROR_CODE_NAMES, ERROR_CODES } from '../../src/common/errors/error-codes';
import { registerApp } from '../support/apps';
import { appHeaders, createOrganization, tokenOf } from '../support/factories';
import { fill, isOfUser, OpenApi, type Route, type Schema, sendExample } from '../support/openapi';
import { Resources } from '../support/resources';
import { API_HOST, CONSOLE_TOKEN, perSuite, useTestApp } from '../support/test-app';

const ROOT = resolve(__dirname, '../..');
const PUBLIC = [
  'acceptInvitation',
  'checkTlsDomain',
  'finishOidc',
  'getInvitation',
  'getLiveness',
  'getReadiness',
  'getService',
  'getMetrics',
  'getSignInOptions',
  'getWebSdkVersion',
  'login',
  'reportDebugScheme',
  'signIn',
  'signInByLink',
  'startOidc',
  'trackStoreVisit',
  'updateCampaignFingerprint',
  'updateFingerprint',
];
/** Operations of the platform outside of organizations. */
const PLATFORM_ONLY = ['createOrganization', 'listDebugSchemesOfUnknownApps', 'listOrganizations'];

const app = useTestApp();
let routes: Route[];

const api = perSuite(() => OpenApi.of(app));
beforeAll(() => {
  routes = api.routes();
});

describe('OpenAPI document', () => {
  it('is served, with a page to browse it that loads nothing from elsewhere', async () => {
    expect(api.document.openapi).toBe('3.1.0');
    expect(routes.length).toBeGreaterThan(20);
    const page = await request(app.url).get('/api/docs').set('Host', API_HOST);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<title>Waypost API</title>');
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = '']) => source);
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) {
      const { origin, pathname } = new URL(source, `http://${API_HOST}/api/docs`);
      expect(origin).toBe(`http://${API_HOST}`);
      expect((await request(app.url).get(pathname).set('Host', API_HOST)).status).toBe(200);
    }
  });

  it('groups operations by audience', () => {
    const groups = api.document['x-tagGroups'];
    const audiences = ['Service API', 'Mobile SDK', 'Web SDK', 'Cross-platform', 'Console', 'Operations'];
    expect(groups.map(({ name }) => name)).toEqual(audiences);
    const grouped = groups.flatMap(({ tags }) => tags);
    expect(grouped).toEqual(api.document.tags.map(({ name }) => name));
    for (const { path, tags } of routes.filter((route) => route.path.startsWith('/api/v1/service/'))) {
      expect([path, tags]).toEqual([path, [expect.stringMatching(/^Service: /)]]);
    }
  });

  it('names the codes of every error, with an example of each, and lists them all', () => {
    const lacking: string[] = [];
    const named = new Set<string>();
    for (const route of routes) {
      for (const status of Object.keys(route.responses).filter((each) => Number(each) >= 400)) {
        if (route.path === '/health/ready' && status === '503') continue;
        const examples = Object.values(api.errorsOf(route, Number(status)));
        if (examples.length === 0) lacking.push(`${route.operationId} ${status}: no example`);
        for (const example of examples as { code?: string; status?: number }[]) {
          if (example.code === undefined) continue;
          named.add(example.code);
          if (String(example.status) !== status)
            lacking.push(`${route.operationId} ${status}: ${example.code}`);
        }
      }
    }
    expect(lacking).toEqual([]);
    const codes = (api.document.components.schemas?.ErrorCode as Schema).enum;
    // No operation answers it: it is about methods that a path does not have.
    named.add('METHOD_NOT_ALLOWED');
    expect([...named].sort()).toEqual(codes);
    expect(codes).toEqual([...ERROR_CODE_NAMES].sort());
    const docs = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
    const rows = ERROR_CODE_NAMES.map(
      (code) => new RegExp(`\\| \`${code}\` +\\| ${ERROR_CODES[code].status} +\\|`),
    );
    expect(rows.filter((row) => !row.test(docs))).toEqual([]);
  });

  it('names and describes every operation', () => {
    const ids = routes.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = new Set(api.document.tags.map(({ name }) => name));
    const used = new Set(routes.flatMap((route) => route.tags));
    expect([...tags].filter((tag) => !used.has(tag))).toEqual([]);
    const lacking = routes.filter(
      ({ operationId, summary, description, tags: own }) =>
        !/^[a-z]+([A-Z][a-z]*)*$/.test(operationId) ||
        !summary ||
        !description ||
        own.length !== 1 ||
        !tags.has(own[0] ?? ''),
    );
    expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('describes every field and parameter, with an example', () => {
    const lacking: string[] = [];
    for (const [name, schema] of Object.entries(api.document.components.schemas ?? {})) {
      for (const [field, value] of Object.entries((schema as Schema).properties ?? {})) {
        const of = api.resolve(value);
        const composed = of.properties ?? (of.items && api.resolve(of.items).properties);
        if (!value.description && !of.description) lacking.push(`${name}.${field}: description`);
        if (!composed && value.example === undefined) lacking.push(`${name}.${field}: example`);
      }
    }
    for (const { operationId, parameters = [] } of routes) {
      for (const parameter of parameters) {
        const where = `${operationId} ${parameter.name}`;
        if (!parameter.description) lacking.push(`${where}: description`);
        if ((parameter.example ?? parameter.schema.example) === undefined) lacking.push(`${where}: example`);
        if (parameter.schema.type === undefined || Array.isArray(parameter.schema.type)) {
          lacking.push(`${where}: type`);
        }
      }
    }
    expect(lacking).toEqual([]);
  });

  it('has the common body for every error, and the possible errors of every operation', () => {
    const lacking: string[] = [];
    for (const route of routes) {
      const { operationId, responses, requestBody, scheme, method, path } = route;
      const needed = ['404', '500', '503'];
      if (route.parameters?.length || requestBody) needed.push('400');
      if (requestBody) needed.push('413', '415');
      if (scheme) needed.push('401');
      if (scheme === 'apiKey' || scheme === 'console') needed.push('403');
      if (scheme === 'apiKey' || scheme === 'app') needed.push('429');
      if (scheme === 'apiKey' && method === 'post') needed.push('409', '422');
      for (const status of needed) if (!responses[status]) lacking.push(`${operationId} ${status}`);
      for (const [status, answer] of Object.entries(responses)) {
        if (Number(status) < 400 || !answer || (path === '/health/ready' && status === '503')) continue;
        const schema = api.resolve(answer).content?.['application/json']?.schema;
        if (!isErrorBody(schema, path, status)) lacking.push(`${operationId} ${status} body`);
      }
    }
    expect(lacking).toEqual([]);
  });
});

/**
 * In the cross-platform API some errors have different bodies (docs/api.md#errors): about an app's headers, about
 * contacts.
 */
function isErrorBody(schema: Schema | undefined, path: string, status: string): boolean {
  const ownBody = path.startsWith('/api/v1/cross-platform/');
  const ofContact = /\/(opt-in|withdraw)$/.test(path) && status === '404';
  const own = ownBody && status === '401' ? 'HeaderErrorResponse' : 'ErrorResponse';
  const name = ofContact ? 'ContactMissingResponse' : own;
  const either = ownBody && ['400', '401'].includes(status) ? (schema?.anyOf ?? []) : [];
  return [schema, ...either].some((each) => each?.$ref === `#/components/schemas/${name}`);
}

/** A PUT with a possible 201 creates a missing resource in its own organization. */
const makes = ({ method, responses }: Route) => method === 'put' && responses['201'] !== undefined;

describe('every route of the document', () => {
  let otherToken: string;

  const own = perSuite(() => createOrganization(app, { allowList: ['127.0.0.0/8'] }));
  const other = perSuite(() => createOrganization(app, { allowList: ['127.0.0.0/8'] }));
  beforeAll(async () => {
    otherToken = await tokenOf(app, other);
  });
  const ownApp = perSuite(() => registerApp(own));
  const otherApp = perSuite(() => registerApp(other));
  const resources = perSuite(() => Resources.make(app, api, own, ownApp));

  const hasResource = ({ path }: Route) => /\{(?!organizationId|code)/.test(path);

  it('declares whether it is public, and only these are', () => {
    const open = routes.filter(({ scheme }) => scheme === null).map(({ operationId }) => operationId);
    expect(open.sort()).toEqual([...PUBLIC].sort());
  });

  it('refuses calls without a key or with an invalid one', async () => {
    for (const route of routes.filter(({ scheme }) => scheme !== null)) {
      const path = fill(route.path, resources.valuesFor(route));
      const refused = async (credentials: Record<string, string>, code: string) => {
        // An unreadable body, because authentication comes before validation.
        const { status, body } = await request(app.url)
          [route.method](path)
          .set({ Host: API_HOST, 'Content-Type': 'application/json', ...credentials })
          .send(route.requestBody ? '{' : undefined);
        const found = [route.operationId, status, body as unknown];
        const ownBody = route.path.startsWith('/api/v1/cross-platform/');
        const expected: unknown = ownBody ? { error: expect.any(String) } : expect.objectContaining({ code });
        expect(found).toEqual([route.operationId, 401, expected]);
      };
      if (route.scheme === 'apiKey') {
        await refused({}, 'API_KEY_MISSING');
        await refused({ 'X-API-KEY': `${own.apiKey.slice(0, -1)}!` }, 'API_KEY_INVALID');
        await refused({ 'X-API-KEY': 'wp_live_x' }, 'API_KEY_INVALID');
        await refused({ Authorization: `Bearer ${CONSOLE_TOKEN}` }, 'API_KEY_MISSING');
      } else if (route.scheme === 'app') {
        const { 'X-App-ID': id = '', 'X-Mobile-App-API-Key': key = '' } = appHeaders(ownApp);
        await refused({}, 'API_KEY_MISSING');
        await refused({ 'X-App-ID': id }, 'API_KEY_MISSING');
        await refused({ 'X-Mobile-App-API-Key': key, 'X-API-KEY': own.apiKey }, 'API_KEY_MISSING');
        await refused({ 'X-App-ID': id, 'X-Mobile-App-API-Key': `${key.slice(0, -1)}!` }, 'API_KEY_INVALID');
        await refused({ ...appHeaders(otherApp), 'X-App-ID': id }, 'API_KEY_INVALID');
      } else {
        await refused({}, 'CONSOLE_TOKEN_INVALID');
        await refused({ Authorization: 'Bearer nonsense' }, 'CONSOLE_TOKEN_INVALID');
        await refused({ 'X-API-KEY': own.apiKey }, 'CONSOLE_TOKEN_INVALID');
      }
    }
  });

  it('accepts only the documented media types', async () => {
    for (const route of routes.filter(({ requestBody }) => requestBody)) {
      const types = Object.keys(route.requestBody?.content ?? {});
      // Only the description names it: a second media type would change the type of bodies in generated clients.
      if (/^import(Organization)?(ShortUrl|Campaign)s$/.test(route.operationId))
        types.push('application/json');
      const values = resources.valuesFor(route);
      for (const type of ['application/json', 'text/csv', 'text/plain', 'application/xml']) {
        const credentials = { key: own.apiKey, app: ownApp };
        const { status } = await sendExample(app, api, route, values, credentials).type(type).send('{');
        const found = [route.operationId, type, status === 415];
        expect(found).toEqual([route.operationId, type, !types.includes(type)]);
      }
    }
  });

  it('can create its resources from their examples', () => {
    const ofItems = routes.filter(({ path }) => routes.some((each) => each.path.startsWith(`${path}/{`)));
    const wanted = ofItems.filter(({ method }) => method === 'post').map(({ path }) => path);
    // A session is made by a login.
    expect(wanted.filter((path) => !resources.collections().includes(path))).toEqual([
      '/api/v1/console/sessions',
    ]);
  });

  it('finds neither a resource of another organization nor one that does not exist', async () => {
    const ofOther = { key: other.apiKey, app: otherApp };
    const ofOwn = { key: own.apiKey, app: ownApp };
    const found = routes.filter((r) => r.scheme !== 'console' && r.scheme !== null && hasResource(r));
    for (const route of found.filter((r) => !makes(r))) {
      const foreign = sendExample(app, api, route, resources.valuesFor(route), ofOther);
      const missing = sendExample(app, api, route, Resources.missing(route, 0), ofOwn);
      for (const { status, body } of [await foreign, await missing]) {
        const answered = [route.operationId, status, (body as { code?: string }).code];
        expect(answered).toEqual([route.operationId, 404, 'NOT_FOUND']);
      }
    }
  });

  it('of the console finds no other organization and none of its resources, and refuses platform operations', async () => {
    for (const route of routes.filter((each) => each.scheme === 'console' && !isOfUser(each))) {
      const { operationId } = route;
      const values = resources.valuesFor(route);
      const foreign = await sendExample(app, api, route, values, { token: otherToken });
      const refused = PLATFORM_ONLY.includes(operationId) ? [403, 'ROLE_REQUIRED'] : [404, 'NOT_FOUND'];
      const found = [operationId, foreign.status, (foreign.body as { code?: string }).code];
      expect(found).toEqual([operationId, ...refused]);
      if (!hasResource(route) || makes(route)) continue;
      // The own organization with a foreign resource, and with a missing one.
      const none = Resources.missing(route, own.organizationId);
      for (const probe of [{ ...values, organizationId: other.organizationId }, none]) {
        const { status } = await sendExample(app, api, route, probe, {});
        expect([operationId, probe, status]).toEqual([operationId, probe, 404]);
      }
    }
  });

  it('finds its own', async () => {
    const asksFor = ({ parameters = [] }: Route) => parameters.some((p) => p.in === 'query' && p.required);
    const reads = routes.filter(
      (r) => r.method === 'get' && r.scheme !== null && resources.has(r) && !asksFor(r) && !isOfUser(r),
    );
    expect(reads.length).toBeGreaterThan(8);
    for (const route of reads) {
      const values = resources.valuesFor(route);
      const { status } = await sendExample(app, api, route, values, { key: own.apiKey, app: ownApp });
      // The endpoint of the example has a URL, so that nothing can be pulled from it.
      const expected = route.path.endsWith('/webhooks/{id}/pending') ? 409 : 200;
      expect([route.operationId, status]).toEqual([route.operationId, expected]);
    }
  });
});
