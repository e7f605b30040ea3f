import * as fc from 'fast-check';
import { registerApp } from './apps';
import { appHeaders, consoleApi, createOrganization, type TestOrganization } from './factories';
import { fill, isOfUser, OpenApi, type Route } from './openapi';
import { type RawAnswer, RawHttp } from './raw-http';
import { NO_ID, Resources } from './resources';
import { API_HOST, CONSOLE_TOKEN, type TestApp } from './test-app';

/** Prefix of raw text in the body that JSON.stringify cannot produce. */
const RAW = 'raw:';
export const toJson = (value: unknown) => JSON.stringify(value).replace(/"raw:([^"]*)"/g, '$1');

export const NUL = 'a\u0000b';
export const LONE = 'a\ud800b';
export const TOO_BIG = `${RAW}9223372036854775808`;
export const INFINITE = `${RAW}1e400`;
export const PROTO: unknown = JSON.parse('{"__proto__":{"name":"a"}}');
export const CONSTRUCTOR = { constructor: 'a' };
export const DEEP = `${RAW}${'['.repeat(20)}${']'.repeat(20)}`;

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

interface Access {
  service: TestOrganization;
  serviceResources: Resources;
  /** Resources of a separate organization, because console routes change its plan, users and keys. */
  consoleResources: Resources;
  /** Headers by security scheme. */
  credentialsOf: Record<string, Record<string, string>>;
  /** For routes about the signed-in user. */
  userCredentials: Record<string, string>;
}

/** Sends requests to every route, with valid credentials and existing ids. */
export class Fuzzer {
  private networks = 0;
  readonly routes: readonly Route[];
  private readonly http: RawHttp;

  private constructor(
    private readonly app: TestApp,
    readonly api: OpenApi,
    private readonly access: Access,
    url: string,
  ) {
    this.routes = api.ownRoutes();
    this.http = new RawHttp(url, { Host: API_HOST });
  }

  /** @param url of the process to send requests to, on the database of `app` */
  static async make(app: TestApp, url = app.url): Promise<Fuzzer> {
    const api = await OpenApi.of(app);
    const service = await createOrganization(app, {
      serviceRatePerMinute: 1_000_000,
      allowList: ['127.0.0.1'],
    });
    const registered = await registerApp(service, { bundleId: 'com.example.fuzzed' });
    await app.sql('UPDATE apps SET sdk_rate_per_minute = 1000000 WHERE id = $1', [registered.id]);
    const { username, password } = service;
    const login = await consoleApi(app).post('/api/v1/console/login', { username, password });
    const access = {
      service,
      serviceResources: await Resources.make(app, api, service),
      consoleResources: await Resources.make(app, api, await createOrganization(app)),
      credentialsOf: {
        apiKey: { 'X-API-KEY': service.apiKey },
        app: appHeaders(registered),
        console: { Authorization: `Bearer ${CONSOLE_TOKEN}` },
      },
      userCredentials: { Authorization: `Bearer ${(login.body as { token: string }).token}` },
    };
    return new Fuzzer(app, api, access, url);
  }

  close(): void {
    this.http.close();
  }

  /** Path values of existing resources; except for deletions, after which later requests would miss them. */
  good(route: Route): Record<string, string | number> {
    const { service, serviceResources, consoleResources } = this.access;
    if (route.method === 'delete')
      return Resources.missing(
        route,
        route.operationId === 'deleteOrganization' ? NO_ID : service.organizationId,
      );
    return (route.scheme === 'console' ? consoleResources : serviceResources).valuesFor(route);
  }

  exampleBody(route: Route): Record<string, unknown> | undefined {
    const schema = this.api.bodyOf(route);
    return schema ? (this.api.exampleOf(schema) as Record<string, unknown>) : undefined;
  }

  send(route: Route, path: string, query = '', body?: string): Promise<RawAnswer> {
    const { credentialsOf, userCredentials } = this.access;
    // Public routes that set a cookie require the Origin of the service's pages.
    const given = credentialsOf[route.scheme ?? ''] ?? this.anonymous();
    const credentials = isOfUser(route) ? userCredentials : given;
    return this.http.send(
      route.method.toUpperCase(),
      query === '' ? path : `${path}?${query}`,
      credentials,
      body,
    );
  }

  /** Calls without credentials come from many networks, because the rate limit of each is low. */
  private anonymous(): Record<string, string> {
    const network = ++this.networks;
    return {
      Origin: this.app.config.baseUrl,
      'X-Forwarded-For': `203.0.${(network >> 8) & 255}.${network & 255}`,
    };
  }

  /** Sends random values in the fields and parameters of a route, and passes on the statuses of the responses. */
  async sendRandom(route: Route, runs: number, onStatus: (status: number) => void): Promise<void> {
    const fields = Object.keys(this.api.bodyOf(route)?.properties ?? {});
    const parameters = (route.parameters ?? []).filter((p) => p.in === 'query').map((p) => p.name);
    const valuesFor = <T>(names: string[], of: fc.Arbitrary<T>) =>
      fc.dictionary(names.length > 0 ? fc.constantFrom(...names) : fc.constant('x'), of, {
        noNullPrototype: true,
      });
    const input = fc.record({
      body: valuesFor(fields, value),
      query: valuesFor(parameters, text),
      wild: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ body, query, wild }) => {
        const path = fill(route.path, this.good(route));
        const search = Object.entries(query)
          .map(([name, given]) => `${name}=${encodeURIComponent(given.toWellFormed())}`)
          .join('&');
        const sent = wild ? body : { ...this.exampleBody(route), ...body };
        const { status } = await this.send(route, path, search, route.requestBody && toJson(sent));
        onStatus(status);
      }),
      { numRuns: runs },
    );
  }
}
