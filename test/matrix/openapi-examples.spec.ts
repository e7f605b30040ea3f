import request, { type Test } from 'supertest';
import { DemoOrganization } from '../../src/access/demo-organization';
import { appHeaders, consoleApi } from '../support/factories';
import { fill, leaveStream, OpenApi, type Parameter, type Route, type Schema } from '../support/openapi';
import { API_HOST, CONSOLE_TOKEN, useTestApp } from '../support/test-app';

/** Created first, in this order, because other examples refer to these resources. */
const FIRST = [
  'createApp',
  'createShortUrl',
  'createCampaign',
  'createGroup',
  'saveContact',
  'identifyMember',
  'createSession',
  'createSegment',
  'createWebhook',
  'addCustomDomain',
];

/** Run last, in this order, because they delete what other examples need. */
const LAST = [
  'withdrawMember',
  'requestCustomDomainDeletion',
  'deleteCustomDomain',
  'deleteContact',
  'deleteGroup',
  'deleteShortUrl',
  'deleteCampaign',
  'updateAppSettings',
  'deleteUnsubscribe',
  'deleteUnsubscribes',
  'removeGroupMembers',
  'regenerateAppKey',
  'deleteApp',
  'updateOrganization',
  'updateUser',
  'removeAddOn',
  'removeAllowedIp',
  'updateApiKey',
  'regenerateApiKey',
  'deleteApiKey',
  'deleteUser',
  'deleteOrganization',
];

/** Deletes the same contact as another example, so only the first succeeds. */
const GONE = ['deactivateContact'];

interface Case {
  name: string;
  /** Documented error codes. */
  codes: string[];
  parameters: Parameter[];
  type?: string;
  body?: unknown;
}

interface Outcome {
  status: number;
  code: string | undefined;
  body: unknown;
}

/** Of both paths of an operation of the Service API: `deleteOrganizationApp` is a `deleteApp`. */
const nameOf = ({ operationId }: Route) => operationId.replace(/^([a-z]+)Organization(?=[A-Z])/, '$1');

const CODE = /\b[A-Z]+(?:_[A-Z]+)*\b/g;
/** The body's fields, even when the JSON is sent as text. */
function sentFields(body: unknown): object {
  const value: unknown = typeof body === 'string' && body.startsWith('{') ? JSON.parse(body) : body;
  return typeof value === 'object' && value !== null ? value : {};
}

const codesIn = (...texts: (string | undefined)[]) => texts.join(' ').match(CODE) ?? [];
const exampleOf = ({ example, schema }: Parameter) => example ?? schema.example;

function told(status: number, body: unknown): string {
  const { code = '', message = JSON.stringify(body) } = body as { code?: string; message?: string };
  return `${status} ${code} ${message}`;
}

describe('every example of the OpenAPI document', () => {
  // The service that `npm start` gives a new user.
  const app = useTestApp();
  let api: OpenApi;
  let key: string;
  let registered: { id: number; apiKey: string } | undefined;
  const failures: string[] = [];

  beforeAll(async () => {
    const demo = await app.get(DemoOrganization).ensure();
    key = demo?.apiKey ?? '';
    const settings = { serviceRatePerMinute: 100_000 };
    await consoleApi(app).patch('/api/v1/console/organizations/1', settings).expect(200);
    api = await OpenApi.of(app);
  });

  /** The example itself, with each optional parameter and field added individually, and every other media type. */
  function casesOf(route: Route): Case[] {
    const { parameters = [], requestBody, description } = route;
    const needed = parameters.filter((parameter) => parameter.required);
    const contents = Object.entries(requestBody?.content ?? {});
    const bodies = contents.flatMap(([type, content]) =>
      Object.entries(content?.examples ?? {}).map(([name, example]) => {
        const fields = Object.entries(api.bodyOf(route)?.properties ?? {});
        const sent = fields.filter(([field]) => Object.hasOwn(sentFields(example.value), field));
        const said = [...needed, ...sent.map(([, schema]) => schema)].map((each) => each.description);
        const codes = codesIn(description, example.description, ...said);
        return { name: `${type} ${name}`, type, codes, body: example.value, parameters: needed };
      }),
    );
    const base: Case = bodies[0] ?? {
      name: 'as it stands',
      codes: codesIn(description, ...needed.map((each) => each.description)),
      parameters: needed,
    };
    const optional = parameters
      .filter((parameter) => !parameter.required && parameter.name !== 'Idempotency-Key')
      .map((parameter) => ({
        ...base,
        name: `with ${parameter.name}`,
        codes: [...base.codes, ...codesIn(parameter.description)],
        parameters: [...needed, parameter],
      }));
    const every = {
      ...base,
      name: 'with every parameter',
      codes: optional.flatMap(({ codes }) => codes),
      parameters: [...needed, ...optional.flatMap(({ parameters: [...all] }) => all.slice(needed.length))],
    };
    const together = optional.length > 1 ? [every] : [];
    return [base, ...bodies.slice(1), ...optional, ...together, ...fieldCases(route, base)];
  }

  function fieldCases(route: Route, base: Case): Case[] {
    const { properties = {} } = api.bodyOf(route) ?? {};
    if (typeof base.body !== 'object' || base.body === null || Array.isArray(base.body)) return [];
    const given = base.body;
    return Object.entries(properties)
      .filter(([field]) => !(field in given))
      .map(([field, schema]: [string, Schema]) => ({
        ...base,
        name: `with ${field}`,
        codes: [...base.codes, ...codesIn(schema.description)],
        body: { ...given, [field]: api.exampleOf(schema, true) },
      }));
  }

  async function send(route: Route, { parameters, type, body }: Case): Promise<Outcome> {
    const values = parameters.map((each): [string, string] => [each.name, String(exampleOf(each))]);
    const query = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
    const test = leaveStream(
      route,
      request(app.url)[route.method](fill(route.path, Object.fromEntries(values))),
    );
    void test.query(Object.fromEntries(values.filter(([name]) => query.includes(name))));
    void test.set({ Host: API_HOST, ...credentialsFor(route) });
    const answer = await withBody(test, type, body);
    const { code } = answer.body as { code?: string };
    return { status: answer.status, code, body: answer.body };
  }

  function withBody(test: Test, type: string | undefined, body: unknown): Test {
    if (type === undefined) return test;
    return test.type(type).send(typeof body === 'string' ? body : JSON.stringify(body));
  }

  function credentialsFor({ scheme }: Route): Record<string, string> {
    if (scheme === 'apiKey') return { 'X-API-KEY': key };
    if (scheme === 'app' && registered) return appHeaders(registered);
    // Public routes that set a cookie require the Origin of the service's pages.
    return scheme === 'console'
      ? { Authorization: `Bearer ${CONSOLE_TOKEN}` }
      : { Origin: app.config.baseUrl };
  }

  async function check(route: Route): Promise<void> {
    const [base, ...rest] = casesOf(route);
    for (const [at, each] of [base as Case, ...rest].entries()) {
      const { status, code, body } = await send(route, each);
      const redirects = status >= 300 && status < 400 && String(status) in route.responses;
      if (status < 300 || redirects) {
        remember(route, body);
        continue;
      }
      const documented = Object.keys(api.errorsOf(route, status));
      // The first case has already created or deleted the resource.
      const repeated = at > 0 || GONE.includes(nameOf(route)) || nameOf(route) !== route.operationId;
      const conflict = repeated && (status === 409 || (route.method === 'delete' && status === 404));
      const holds =
        code !== undefined && documented.includes(code) && (conflict || each.codes.includes(code));
      if (!holds) failures.push(`${route.operationId} ${each.name}: ${told(status, body)}`);
    }
  }

  /** Stores new keys for the next examples. */
  function remember({ operationId }: Route, body: unknown): void {
    if (operationId === 'createApp') registered ??= body as { id: number; apiKey: string };
  }

  it('succeeds on a fresh service', async () => {
    const routes = api.routes();
    const place = (route: Route) => {
      const first = FIRST.indexOf(nameOf(route));
      if (first >= 0) return first - FIRST.length;
      const last = LAST.indexOf(nameOf(route)) + 1;
      return route.method === 'delete' ? Math.max(0.5, last) : last;
    };
    for (const route of routes.toSorted((a, b) => place(a) - place(b))) await check(route);
    expect(failures).toEqual([]);
    // All operations are called in it, one after the other.
  }, 300_000);
});
