import * as fc from 'fast-check';
import { registerApp } from '../support/apps';
import { appHeaders, consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { fill, isOfUser, OpenApi, type Parameter, type Route, type Schema } from '../support/openapi';
import { type RawAnswer, RawHttp } from '../support/raw-http';
import { NO_ID, Resources } from '../support/resources';
import { API_HOST, CONSOLE_TOKEN, useTestApp } from '../support/test-app';

/** Random requests to each route; FUZZ_RUNS=2000 and a lunch break find more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 8);
const MIB = 1024 * 1024;
// There are many routes.
/** Prefix of raw text in the body that JSON.stringify cannot produce. */
const RAW = 'raw:';
const toJson = (value: unknown) => JSON.stringify(value).replace(/"raw:([^"]*)"/g, '$1');

const NUL = 'a\u0000b';
const LONE = 'a\ud800b';
const TOO_BIG = `${RAW}9223372036854775808`;
const INFINITE = `${RAW}1e400`;
const PROTO: unknown = JSON.parse('{"__proto__":{"name":"a"}}');
const CONSTRUCTOR = { constructor: 'a' };
const DEEP = `${RAW}${'['.repeat(20)}${']'.repeat(20)}`;

/** Lists whose items fail individually: their errors are in a successful response. */
const ITEM_BY_ITEM = ['importUnsubscribes.items', 'registerUnsubscribes.items', 'createShortUrls.items'];
const isItem = (value: unknown) => Array.isArray(value) && value.length > 0;

function typesOf({ type }: Schema): string[] {
  return [type ?? 'object'].flat();
}

/** Values that are invalid for this schema in any endpoint. */
function wrongValues(schema: Schema): unknown[] {
  const [type = 'object'] = typesOf(schema);
  const anyway = [INFINITE, TOO_BIG, DEEP, PROTO, CONSTRUCTOR];
  // A number or a numeric string.
  if (schema.oneOf) return [...anyway, 'x', NUL, true, [], {}, -1];
  switch (type) {
    case 'string':
      return [
        ...[...anyway, 7, -1, true, [], {}, ['a'], NUL, LONE],
        ...(/Truncated to \d+ characters/.test(schema.description ?? '')
          ? []
          : ['x'.repeat((schema.maxLength ?? 5000) + 1)]),
      ];
    case 'integer':
    case 'number':
      return [
        ...[...anyway, 'x', NUL, true, [], {}, [1]],
        ...(type === 'integer' ? [1.5] : []),
        ...((schema.minimum ?? -1) >= 0 ? [-1] : []),
      ];
    case 'boolean':
      return [...anyway, 'x', 'true', 0, 1, [], {}, NUL];
    case 'array':
      return [
        INFINITE,
        TOO_BIG,
        PROTO,
        CONSTRUCTOR,
        'x',
        7,
        true,
        {},
        [NUL],
        [LONE],
        [[]],
        [{}],
        [CONSTRUCTOR],
      ];
    default:
      return [INFINITE, TOO_BIG, 'x', 7, true, [], [1], [[]], NUL];
  }
}

/** Encoded values that are invalid for a parameter of this schema. */
function wrongTexts({ schema }: Parameter): string[] {
  const { maxLength, ...rest } = schema.items ?? schema;
  const [type = 'string'] = typesOf(rest);
  const broken = ['%00', '%E0%A4%A', '%ED%A0%80'];
  if (type === 'string') return maxLength ? [...broken, 'x'.repeat(maxLength + 1)] : broken;
  if (type === 'boolean') return [...broken, 'x', '1', 'TRUE', '%5B%5D'];
  return [
    ...broken,
    'x',
    '1.5',
    '1e400',
    '9223372036854775808',
    '0x10',
    '%5B%5D',
    'null',
    '-9223372036854775809',
  ];
}

describe('every field of every route', () => {
  const app = useTestApp();
  let api: OpenApi;
  let routes: Route[];
  let http: RawHttp;
  /** Headers by security scheme. */
  let credentialsOf: Record<string, Record<string, string>>;
  /** Of routes about the signed-in user. */
  let userCredentials: Record<string, string>;
  let service: TestOrganization;
  let serviceResources: Resources;
  /** Of a separate organization, because console routes change its plan, users and keys. */
  let consoleResources: Resources;

  beforeAll(async () => {
    api = await OpenApi.of(app);
    routes = api.ownRoutes();
    service = await createOrganization(app, { serviceRatePerMinute: 1_000_000, allowList: ['127.0.0.1'] });
    serviceResources = await Resources.make(app, api, service);
    consoleResources = await Resources.make(app, api, await createOrganization(app));
    const registered = await registerApp(service, { bundleId: 'com.example.fuzzed' });
    await app.sql('UPDATE apps SET sdk_rate_per_minute = 1000000 WHERE id = $1', [registered.id]);
    credentialsOf = {
      apiKey: { 'X-API-KEY': service.apiKey },
      app: appHeaders(registered),
      console: { Authorization: `Bearer ${CONSOLE_TOKEN}` },
    };
    const { username, password } = service;
    const login = await consoleApi(app).post('/api/v1/console/login').send({ username, password });
    userCredentials = { Authorization: `Bearer ${(login.body as { token: string }).token}` };
    http = new RawHttp(app.url, { Host: API_HOST });
  });
  afterAll(() => http.close());

  /** Path values of existing resources, except for deletions, which later requests would miss. */
  const good = (route: Route) =>
    route.method === 'delete'
      ? Resources.missing(route, route.operationId === 'deleteOrganization' ? NO_ID : service.organizationId)
      : (route.scheme === 'console' ? consoleResources : serviceResources).valuesFor(route);

  function send(route: Route, path: string, query = '', body?: string): Promise<RawAnswer> {
    // Public routes that set a cookie require the Origin of the service's pages.
    const given = credentialsOf[route.scheme ?? ''] ?? { Origin: app.config.baseUrl };
    const credentials = isOfUser(route) ? userCredentials : given;
    return http.send(route.method.toUpperCase(), query === '' ? path : `${path}?${query}`, credentials, body);
  }

  const exampleBody = (route: Route) => {
    const schema = api.bodyOf(route);
    return schema ? (api.exampleOf(schema) as Record<string, unknown>) : undefined;
  };

  /** The fault in a response to invalid input, or null. */
  function problem({ status, body }: RawAnswer, field: string): string | null {
    if (status < 400 || status >= 500) return `answered ${status}`;
    const { details = [] } = (body ?? {}) as { details?: { field: string }[] };
    const named = details.some(
      (detail) =>
        detail.field === field ||
        detail.field.startsWith(`${field}.`) ||
        detail.field.startsWith(`${field}[`),
    );
    return named ? null : `${status} names ${JSON.stringify(details.map((detail) => detail.field))}`;
  }

  it('refuses wrong types, lengths and characters in bodies, by name', async () => {
    const problems: string[] = [];
    let sent = 0;
    for (const route of routes) {
      const schema = api.bodyOf(route);
      const path = fill(route.path, good(route));
      for (const [field, given] of Object.entries(schema?.properties ?? {})) {
        const alone = ITEM_BY_ITEM.includes(`${route.operationId}.${field}`);
        const values = wrongValues(api.resolve(given)).filter((each) => !alone || !isItem(each));
        const bodies = values.map((value) => toJson({ ...exampleBody(route), [field]: value }));
        const answers = await Promise.all(bodies.map((body) => send(route, path, '', body)));
        for (const [i, answer] of answers.entries()) {
          sent++;
          const found = problem(answer, field);
          if (found)
            problems.push(`${route.operationId} ${field}=${toJson(values[i]).slice(0, 60)}: ${found}`);
        }
      }
    }
    expect(problems).toEqual([]);
    expect(sent).toBeGreaterThan(300);
  });

  it('refuses invalid query parameters, given once or twice, by name', async () => {
    const problems: string[] = [];
    for (const route of routes) {
      const path = fill(route.path, good(route));
      const body = api.bodyOf(route) && toJson(exampleBody(route));
      for (const parameter of (route.parameters ?? []).filter((p) => p.in === 'query')) {
        const { name } = parameter;
        const twice = typesOf(parameter.schema).includes('array') ? [] : [`${name}=1&${name}=1`];
        for (const query of [...wrongTexts(parameter).map((text) => `${name}=${text}`), ...twice]) {
          const found = problem(await send(route, path, query, body), name);
          if (found) problems.push(`${route.operationId} ${query.slice(0, 60)}: ${found}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });

  it('refuses invalid path parameters, numbers by name', async () => {
    const problems: string[] = [];
    for (const route of routes) {
      const body = api.bodyOf(route) && toJson(exampleBody(route));
      for (const parameter of (route.parameters ?? []).filter((p) => p.in === 'path')) {
        // Ids of other systems are any non-blank text.
        const odd = parameter.name.startsWith('external') ? [] : ['__proto__', '..%2f'];
        for (const text of [...wrongTexts(parameter), ...odd, 'x'.repeat(5000), '%20']) {
          const path = fill(route.path, { ...good(route), [parameter.name]: 'WRONG' }).replace('WRONG', text);
          const answer = await send(route, path, '', body);
          const broken = text.includes('%E0') || text.includes('%ED');
          const numeric = typesOf(parameter.schema).includes('integer');
          const found = numeric
            ? problem(answer, broken ? 'path' : parameter.name)
            : answer.status >= 500 || answer.status < 400
              ? `answered ${answer.status}`
              : null;
          if (found) problems.push(`${route.operationId} ${parameter.name}=${text.slice(0, 60)}: ${found}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });

  it('refuses bodies that are too deep, too large or not objects, and survives names of Object.prototype', async () => {
    const large = JSON.stringify({ pad: 'x'.repeat(10 * MIB) });
    for (const route of routes.filter((each) => api.bodyOf(each))) {
      const path = fill(route.path, good(route));
      const outcome = async (body: string) => {
        const answer = await send(route, path, '', body);
        return [route.operationId, answer.status, (answer.body as { code?: string } | undefined)?.code];
      };
      const { operationId } = route;
      expect(await outcome('['.repeat(100_000))).toEqual([operationId, 400, 'MALFORMED_JSON']);
      expect(await outcome('{"a":'.repeat(100_000))).toEqual([operationId, 400, 'MALFORMED_JSON']);
      expect(await outcome(large)).toEqual([operationId, 413, 'PAYLOAD_TOO_LARGE']);
      for (const body of ['[]', '7', '"x"', '1e400']) {
        expect(await outcome(body)).toEqual([operationId, 400, 'VALIDATION_FAILED']);
      }
      const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON'];
      for (const name of names) {
        const [, status] = await outcome(
          toJson({ [name]: 1, ...exampleBody(route) }).replace('{', `{"${name}":{"a":1},`),
        );
        expect(status).toBeLessThan(500);
      }
    }
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('never fails on anything else', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        '',
        NUL,
        LONE,
        '9'.repeat(400),
        'https://shop.example.com/',
        '2026-02-30',
        '0000-00-00',
        '%',
      ),
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
      text,
      fc.constantFrom<unknown>(INFINITE, TOO_BIG, PROTO, DEEP, -0, 1e21, 2 ** 53, null),
    );
    for (const route of routes) {
      const fields = Object.keys(api.bodyOf(route)?.properties ?? {});
      const parameters = route.parameters ?? [];
      const valuesFor = <T>(names: string[], of: fc.Arbitrary<T>) =>
        fc.dictionary(names.length > 0 ? fc.constantFrom(...names) : fc.constant('x'), of, {
          noNullPrototype: true,
        });
      const input = fc.record({
        body: valuesFor(fields, value),
        query: valuesFor(
          parameters.filter((p) => p.in === 'query').map((p) => p.name),
          text,
        ),
        wild: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(input, async ({ body, query, wild }) => {
          const path = fill(route.path, good(route));
          const search = Object.entries(query)
            .map(([name, given]) => `${name}=${encodeURIComponent(given.toWellFormed())}`)
            .join('&');
          const sent = wild ? body : { ...exampleBody(route), ...body };
          const { status } = await send(route, path, search, route.requestBody && toJson(sent));
          expect([route.operationId, status < 500]).toEqual([route.operationId, true]);
        }),
        { numRuns: RUNS },
      );
    }
  });
});
