import { registerApp } from '../support/apps';
import { CONTACTS } from '../support/contacts';
import { type ApiClient, consoleApi, createOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { isOfUser, OpenApi, type Route, sendExample } from '../support/openapi';
import { Resources } from '../support/resources';
import { perSuite, useTestApp } from '../support/test-app';

const LIST_FIELDS = ['content', 'items', 'segments'];
/** Reports ignore unknown parameters. */
const REPORTS = /\/analytics\/conversions\/|\/stats\/sessions\/by-/;

describe('An unknown query parameter', () => {
  const app = useTestApp();
  const api = perSuite(() => OpenApi.of(app));
  const organization = perSuite(() => createOrganization(app, { allowList: ['127.0.0.1'] }));
  const registered = perSuite(() => registerApp(organization));
  beforeAll(() => app.alter('UPDATE apps SET sdk_rate_per_minute = 1000000 WHERE id = $1', [registered.id]));
  const resources = perSuite(() => Resources.make(app, api, organization, registered));

  const isList = (route: Route): boolean => {
    if (route.method !== 'get') return false;
    const content = route.responses['200']?.content ?? {};
    const schema = content['application/json']?.schema;
    if (REPORTS.test(route.path)) return false;
    if (content['text/csv']) return true;
    const fields = Object.keys((schema && api.resolve(schema).properties) ?? {});
    return fields.some((field) => LIST_FIELDS.includes(field));
  };
  const send = (route: Route, query: string) =>
    sendExample(app, api, route, resources.valuesFor(route), {
      key: organization.apiKey,
      app: registered,
    }).query(query);

  it('is refused by name by every list, feed and export', async () => {
    const lists = api.routes().filter((route) => isList(route) && !isOfUser(route));
    expect(lists.length).toBeGreaterThan(25);
    const lenient: string[] = [];
    for (const route of lists) {
      const { status, body } = await send(route, 'grupId=3&zzz=1');
      const fields = ((body as { details?: { field: string }[] }).details ?? []).map(({ field }) => field);
      if (status !== 400 || !fields.includes('grupId') || !fields.includes('zzz')) {
        lenient.push(`${route.path}: ${status} ${fields.join()}`);
      }
    }
    expect(lenient).toEqual([]);
  });

  it('is reported together with the valid parameters', async () => {
    const { body } = await organization.api.get('/api/v1/service/messaging/groups?pgae=1').expect(400);
    expect(body).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'pgae', message: 'is not one of page, size' }],
    });
  });

  it.each(['constructor', '__proto__', 'toString', '', `%ED%95%9C`, 'x'.repeat(300), 'page[]'])(
    'is refused whatever its name: %s',
    async (name) => {
      const { body } = await organization.api.get(`${CONTACTS}?${name}=1`).expect(400);
      expect(body.details).toHaveLength(1);
    },
  );

  it('is ignored by reports, reads of one resource, and creations', async () => {
    const { api: client, organizationId } = organization;
    const link = await createLink(organization);
    await client.get(`/api/v1/service/urls/${link.id}?zzz=1`).expect(200);
    await client.get('/api/v1/service/analytics/dau?zzz=1').expect(200);
    await client.get('/api/v1/service/analytics/credits?zzz=1').expect(200);
    await client.post(`${CONTACTS}?zzz=1`, { name: 'Kim' }).expect(201);
    const console: ApiClient = consoleApi(app);
    await console.get(`/api/v1/console/organizations/${organizationId}?zzz=1`).expect(200);
  });
});
