import type { IncomingMessage } from 'node:http';
import request from 'supertest';
import { appHeaders } from './factories';
import { API_HOST, CONSOLE_TOKEN, type TestApp } from './test-app';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  description?: string;
  example?: unknown;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema?: Schema; examples?: Record<string, Example> } | undefined>;
}

interface Example {
  summary?: string;
  description?: string;
  value: unknown;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  'x-role'?: string;
  'x-scope'?: string;
  'x-publishable-key'?: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, (Content & { $ref?: string; description?: string }) | undefined>;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export interface Route extends Operation {
  method: Method;
  path: string;
  /** `apiKey`, `app`, `console`, or null for a public route. */
  scheme: string | null;
}

interface Document {
  openapi: string;
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  'x-tagGroups': { name: string; tags: string[] }[];
  paths: Record<string, Partial<Record<Method, Operation>>>;
  /** Absent in documents of audiences without webhooks. */
  webhooks: Record<string, { post: Omit<Operation, 'tags'> } | undefined>;
  components: Record<string, Record<string, unknown>>;
}

/**
 * An OpenAPI document of a running application, by default the complete one, whose references are resolved on demand.
 */
export class OpenApi {
  private constructor(readonly document: Document) {}

  static async of(app: TestApp, host = API_HOST, address = '/api/openapi.json'): Promise<OpenApi> {
    const { body } = await request(app.url).get(address).set('Host', host);
    return new OpenApi(body as Document);
  }

  routes(): Route[] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        ...operation,
        parameters: (operation.parameters ?? []).map((parameter) => this.resolve(parameter)),
        method: method as Method,
        path,
        scheme: Object.keys(operation.security[0] ?? {})[0] ?? null,
      })),
    );
  }

  /** Routes without the console's copies of Service API operations, which have the same controllers. */
  ownRoutes(): Route[] {
    const ids = new Set(this.routes().map(({ operationId }) => operationId));
    return this.routes().filter(({ operationId }) => {
      const original = operationId.replace(/^([a-z]+)Organization(?=[A-Z])/, '$1');
      return original === operationId || !ids.has(original);
    });
  }

  /** Resolves a `$ref`, also one wrapped in an `allOf` or in an `anyOf` with null. */
  resolve<T extends object>(value: T): T {
    const { $ref, allOf, anyOf } = value as { $ref?: string; allOf?: T[]; anyOf?: T[] };
    const first = (allOf ?? anyOf)?.[0];
    if (first) return this.resolve(first);
    if ($ref === undefined) return value;
    const [, , section = '', name = ''] = $ref.split('/');
    return this.resolve(this.document.components[section]?.[name] as T);
  }

  /** Schema of an event's deliveries. @throws when the document has no such event */
  deliveryOf(event: string): Schema {
    const schema = this.document.webhooks[event]?.post.requestBody?.content?.['application/json']?.schema;
    if (!schema) throw new Error(`The document has no webhook ${event}`);
    return this.resolve(schema);
  }

  /** Schema of the JSON body that a route takes. */
  bodyOf(route: Route): Schema | undefined {
    const schema = route.requestBody?.content?.['application/json']?.schema;
    return schema && this.resolve(schema);
  }

  /** Documented examples of an error, by name, which is the code if the body has one. */
  errorsOf(route: Route, status: number): Record<string, unknown> {
    const answer = route.responses[status];
    const examples = (answer && this.resolve(answer).content?.['application/json']?.examples) ?? {};
    return Object.fromEntries(
      Object.entries(examples).map(([name, example]) => [name, this.resolve(example).value]),
    );
  }

  /** A valid value built from examples; only required fields unless `all`. */
  exampleOf(given: Schema, all = false): unknown {
    if (given.example !== undefined) return given.example;
    const schema = this.resolve(given);
    if (schema.example !== undefined) return schema.example;
    if (schema.enum) return schema.enum[0];
    if (schema.items) return [this.exampleOf(schema.items, all)];
    if (!schema.properties) return {};
    const names = all ? Object.keys(schema.properties) : (schema.required ?? []);
    return Object.fromEntries(
      names.map((name) => [name, this.exampleOf(schema.properties?.[name] ?? {}, all)]),
    );
  }
}

/** Whether a console route is about the signed-in user, so that the platform token is refused. */
export function isOfUser({ responses }: Route): boolean {
  return responses['403']?.description?.includes('USER_REQUIRED') === true;
}

/** Fills in the parameters of a path. */
export function fill(path: string, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')));
}

/** Credentials for all APIs; a request sends those that its route requires. */
export interface Credentials {
  /** Key of the Service API. */
  key?: string;
  app?: { id: number; apiKey: string };
  token?: string;
}

/** Disconnects from a stream of events after its headers, since it does not end. Errors are read as usual. */
export function leaveStream(route: Route, test: request.Test): request.Test {
  if (!route.responses['200']?.content?.['text/event-stream']) return test;
  return test.buffer(true).parse((answer, done) => {
    const response = answer as unknown as IncomingMessage;
    if (response.statusCode === 200) {
      response.destroy();
      done(null, {});
      return;
    }
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    response.on('end', () => done(null, JSON.parse(text)));
  });
}

/** Prepares a request to a route with an example body and the required credentials. */
export function sendExample(
  app: TestApp,
  api: OpenApi,
  route: Route,
  values: Readonly<Record<string, string | number>>,
  { key, app: registered, token = CONSOLE_TOKEN }: Credentials,
): request.Test {
  const schema = api.bodyOf(route);
  const { minimal } = route.requestBody?.content?.['application/json']?.examples ?? {};
  // Required fields alone may not be a valid body.
  const body = schema && (route.method === 'post' && minimal ? minimal.value : api.exampleOf(schema));
  const query = (route.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name, example, schema }): [string, string] => [name, String(example ?? schema.example)]);
  const call = request(app.url)[route.method](fill(route.path, values)).query(Object.fromEntries(query));
  const test = leaveStream(route, call);
  void test.set('Host', API_HOST);
  if (route.scheme === 'apiKey' && key !== undefined) void test.set('X-API-KEY', key);
  if (route.scheme === 'app' && registered) void test.set(appHeaders(registered));
  if (route.scheme === 'console') void test.set('Authorization', `Bearer ${token}`);
  // Sends the Origin of the service, which public routes that set a cookie require.
  if (route.scheme === null) void test.set('Origin', app.config.baseUrl);
  return body ? test.send(body) : test;
}
