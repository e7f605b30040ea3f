import { registerApp } from '../support/apps';
import { createOrganization, tokenOf } from '../support/factories';
import { createLink, URLS } from '../support/links';
import { isOfUser, OpenApi, type Route, sendExample } from '../support/openapi';
import { Resources } from '../support/resources';
import { perSuite, useTestApp } from '../support/test-app';

const CAMPAIGNS = '/api/v1/service/campaigns';
const BLANKS = ['   ', '\t\n', '\u00a0\u3000', '\u200b\u2060\ufeff\u202e'];

interface Detail {
  field: string;
  message: string;
}

describe('required fields', () => {
  const app = useTestApp();
  let routes: Route[];
  let send: (route: Route, body: object) => Promise<{ status: number; details: Detail[] }>;

  const org = perSuite(() => createOrganization(app, { allowList: ['127.0.0.1'] }));
  const api = perSuite(() => OpenApi.of(app));
  beforeAll(async () => {
    const registered = await registerApp(org, { bundleId: 'com.example.sdk' });
    const resources = await Resources.make(app, api, org);
    const consoleResources = await Resources.make(app, api, await createOrganization(app));
    routes = api.routes().filter((route) => api.bodyOf(route)?.properties);
    const token = await tokenOf(app, org);
    send = async (route, body) => {
      const credentials = { key: org.apiKey, app: registered, ...(isOfUser(route) && { token }) };
      const of = route.scheme === 'console' ? consoleResources : resources;
      const answer = await sendExample(app, api, route, of.valuesFor(route), credentials).send(body);
      return { status: answer.status, details: (answer.body as { details?: Detail[] }).details ?? [] };
    };
  });

  const exampleOf = (route: Route) => api.exampleOf(api.bodyOf(route) ?? {}) as Record<string, unknown>;

  it.each([
    ['absent', undefined],
    ['null', null],
  ])('are reported as required when they are %s, on every route', async (_, value) => {
    let checked = 0;

    for (const route of routes) {
      for (const field of api.bodyOf(route)?.required ?? []) {
        const { status, details } = await send(route, { ...exampleOf(route), [field]: value });
        const label = `${route.operationId} ${field}`;
        expect([label, status, details]).toEqual([label, 400, [{ field, message: 'is required' }]]);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(40);
  });

  it('may not be blank if they may not be empty, on every route', async () => {
    let checked = 0;
    for (const route of routes) {
      const body = api.bodyOf(route) ?? {};
      for (const [field, given] of Object.entries(body.properties ?? {})) {
        const { minLength = 0 } = api.resolve(given) as { minLength?: number };
        if (minLength < 1) continue;
        for (const blank of BLANKS) {
          const value = blank.padEnd(minLength, blank);
          const { status, details } = await send(route, {
            ...(api.exampleOf(body) as object),
            [field]: value,
          });
          const label = `${route.operationId} ${field} ${JSON.stringify(value)}`;
          expect([label, status, details.map((detail) => detail.field)]).toEqual([label, 400, [field]]);
        }
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(30);
  });

  it('are named in queries and in nested fields of a body', async () => {
    const { body } = await org.api
      .post(URLS, { url: 'https://example.com/', variants: [{ url: 'https://example.com/' }, { weight: 1 }] })
      .expect(400);
    expect(body.details).toEqual([
      { field: 'variants[0].weight', message: 'is required' },
      { field: 'variants[1].url', message: 'is required' },
    ]);
    const query = await org.api.get('/api/v1/service/analytics/conversions').expect(400);
    expect(query.body.details).toEqual([{ field: 'appId', message: 'is required' }]);
  });

  it.each(['title', 'ogTitle', 'ogDescription', 'utmSource', 'utmContent', 'iosDeepLinkPath', 'goalType'])(
    'a blank %s is refused, and an empty one clears',
    async (field) => {
      const { id } = await createLink(org, { [field]: 'x' });
      for (const blank of BLANKS) {
        for (const request of [
          org.api.post(URLS, { url: 'https://example.com/', [field]: blank }),
          org.api.put(`${URLS}/${id}`, { [field]: blank }),
          org.api.post(CAMPAIGNS, { name: 'n', originalUrl: 'https://example.com/', [field]: blank }),
        ]) {
          const { body } = await request.expect(400);
          expect(body.details).toEqual([{ field, message: 'must not be blank' }]);
        }
      }
      const { body } = await org.api.put(`${URLS}/${id}`, { [field]: '' }).expect(200);
      expect(body[field]).toBeNull();
    },
  );

  it.each(['g'.repeat(51), '  '])(
    'the goalType %j is refused wherever goals are taken or asked for',
    async (goalType) => {
      const tracks = routes.filter(({ path }) => path.endsWith('/funnel/track'));
      expect(tracks.length).toBeGreaterThan(1);
      for (const route of tracks) {
        const { status, details } = await send(route, { ...exampleOf(route), goalType });
        expect([route.path, status, details.map(({ field }) => field)]).toEqual([
          route.path,
          400,
          ['goalType'],
        ]);
      }
      const { body } = await org.api
        .get('/api/v1/service/analytics/conversions/top', { appId: 1, goalType })
        .expect(400);
      expect(body.details).toMatchObject([{ field: 'goalType' }]);
    },
  );
});
