import type { TestOrganization } from './factories';
import { type OpenApi, type Route, sendExample } from './openapi';
import type { TestApp } from './test-app';

const OF_CONSOLE = '/api/v1/console/organizations/{organizationId}/';
/** An id that does not exist. */
export const NO_ID = Number.MAX_SAFE_INTEGER;

/**
 * Resources of one organization, created from the examples in the OpenAPI document by the POST of every collection
 * whose items have their own path. New collections are included automatically.
 */
export class Resources {
  private constructor(
    private readonly organizationId: number,
    /** Ids by path of the collection. */
    private readonly ids: ReadonlyMap<string, number>,
  ) {}

  /** @param registered the app with whose key the SDK APIs are called */
  static async make(
    app: TestApp,
    api: OpenApi,
    organization: TestOrganization,
    registered?: { id: number; apiKey: string },
  ): Promise<Resources> {
    const { organizationId, apiKey } = organization;
    const ids = new Map(registered && [['/api/v1/service/mobile-apps', registered.id]]);
    const credentials = { key: apiKey, app: registered };
    const routes = api.routes();
    for (const route of routes.filter(({ method }) => method === 'post')) {
      if (!routes.some(({ path }) => path.startsWith(`${route.path}/{`))) continue;
      const answer = await sendExample(app, api, route, { organizationId: organizationId }, credentials);
      const { id } = answer.body as { id?: number };
      // What the example names may exist since it was created by the other API, or registered.
      const known = registered && ids.get(route.path.replace(OF_CONSOLE, '/api/v1/service/'));
      const made = answer.status === 201 ? id : known;
      if (made) ids.set(route.path, made);
    }
    return new Resources(organizationId, ids);
  }

  collections(): string[] {
    return [...this.ids.keys()];
  }

  /** Whether every resource in the path, except the organization, has been created. */
  has({ path }: Route): boolean {
    return collectionsOf(path).every(([, collection]) => this.ids.has(collection));
  }

  /** Values of the path's parameters: the organization, ids of created resources or missing ids, and examples. */
  valuesFor({ path, parameters = [] }: Route): Record<string, string | number> {
    const values: Record<string, string | number> = {};
    for (const { name, in: place, schema, example } of parameters) {
      if (place !== 'path') continue;
      const numeric = [schema.type].flat().includes('integer');
      values[name] = numeric ? NO_ID : String(example ?? schema.example ?? schema.enum?.[0]);
    }
    for (const [name, collection] of collectionsOf(path))
      values[name] = this.ids.get(collection) ?? values[name] ?? '';
    return { ...values, ...('organizationId' in values && { organizationId: this.organizationId }) };
  }

  /** Values like those of `valuesFor`, with ids that do not exist. */
  static missing(route: Route, organizationId: number): Record<string, string | number> {
    return new Resources(organizationId, new Map()).valuesFor(route);
  }
}

/** The path's parameters except the organization, each with the path of its collection. */
function collectionsOf(path: string): [string, string][] {
  return [...path.matchAll(/\/\{(\w+)\}/g)]
    .filter(([, name]) => name !== 'organizationId')
    .map(({ 1: name = '', index }) => [name, path.slice(0, index)]);
}
