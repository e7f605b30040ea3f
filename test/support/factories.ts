import request, { type Test } from 'supertest';
import { ApiKeysService } from '../../src/access/api-keys/api-keys.service';
import {
  type AddOn,
  ADD_ONS,
  type Caller,
  type Permission,
  PERMISSIONS,
  type Plan,
} from '../../src/access/caller';
import { platform } from '../../src/access/console/console-tokens';
import { IpAllowListService } from '../../src/access/ip-allow-list/ip-allow-list.service';
import type { Limits } from '../../src/access/limits/limits';
import { activeAddOns, OrganizationCache } from '../../src/access/organizations/organization-cache';
import { OrganizationsService } from '../../src/access/organizations/organizations.service';
import type { Role } from '../../src/access/roles';
import { hashPassword } from '../../src/access/console/password';
import { API_HOST, CONSOLE_TOKEN, QUICK_HASH, type TestApp } from './test-app';

/** Sends requests to the API host with fixed headers. */
export class ApiClient {
  constructor(
    private readonly app: TestApp,
    private readonly headers: Readonly<Record<string, string>> | (() => Record<string, string>),
  ) {}

  get(path: string, query: string | object = {}): Test {
    return this.prepare(request(this.app.url).get(path)).query(query);
  }

  head(path: string): Test {
    return this.prepare(request(this.app.url).head(path));
  }

  post(path: string, body?: string | object): Test {
    return this.prepare(request(this.app.url).post(path), body);
  }

  put(path: string, body?: string | object): Test {
    return this.prepare(request(this.app.url).put(path), body);
  }

  patch(path: string, body?: string | object): Test {
    return this.prepare(request(this.app.url).patch(path), body);
  }

  delete(path: string, body?: string | object): Test {
    return this.prepare(request(this.app.url).delete(path), body);
  }

  /** What a GET answers. @throws unless it is a 200 */
  async read<T>(path: string, query?: string | object): Promise<T> {
    return (await this.get(path, query).expect(200)).body as T;
  }

  /** What a POST has created. @throws unless it is a 201 */
  async create<T>(path: string, body?: string | object): Promise<T> {
    return (await this.post(path, body).expect(201)).body as T;
  }

  private prepare(test: Test, body?: string | object): Test {
    const headers = typeof this.headers === 'function' ? this.headers() : this.headers;
    return test.set({ Host: API_HOST, ...headers }).send(body);
  }
}

export interface OrganizationOverrides {
  name?: string;
  plan?: Plan;
  timeZone?: string;
  baseCurrency?: string;
  defaultRegion?: string;
  /** Default: 100,000, so that only suites about rate limits reach it. */
  serviceRatePerMinute?: number;
  /** Default: those of the plan. */
  limits?: Partial<Limits>;
  /** Default: every add-on. */
  addOns?: readonly AddOn[];
  /** Permissions of the only user; default: all. */
  permissions?: readonly Permission[];
  /** Role of the only user; default: ADMIN. */
  role?: Role;
  /** Addresses and CIDRs; default: none. */
  allowList?: readonly string[];
}

/** An organization with one user and one API key. */
export interface TestOrganization {
  organizationId: number;
  userId: number;
  username: string;
  password: string;
  apiKeyId: number;
  apiKey: string;
  /** The caller that services see for the user's API key. */
  caller: Caller;
  /** Client for the Service API with the key. */
  api: ApiClient;
  /** Where the Console API has the organization. */
  consolePath: string;
}

const PASSWORD = 'a password of the tests';
let passwordHash: Promise<string> | undefined;
let made = 0;

export async function createOrganization(
  app: TestApp,
  overrides: OrganizationOverrides = {},
): Promise<TestOrganization> {
  const {
    addOns = ADD_ONS,
    permissions = PERMISSIONS,
    role = 'ADMIN',
    allowList = [],
    ...settings
  } = overrides;
  const number = ++made;
  const organization = await app.get(OrganizationsService).create(platform('127.0.0.1'), {
    name: `Organization ${number}`,
    serviceRatePerMinute: 100_000,
    ...settings,
  });
  const organizationId = organization.id;
  // By SQL, because a transaction for each of hundreds of organizations takes long.
  await app.sql(`INSERT INTO add_ons (organization_id, code, created_at) SELECT $1, unnest($2::text[]), $3`, [
    organizationId,
    addOns,
    app.clock.date(),
  ]);
  const by = await callerOf(app, organizationId);
  for (const cidr of allowList) await app.get(IpAllowListService).add(by, { cidr });
  const username = `user-${process.pid}-${number}`;
  const userId = await addUser(app, organizationId, username, { permissions, role });
  const { row, apiKey } = await app.get(ApiKeysService).create(by, { name: 'Tests', userId });
  const caller = await callerOf(app, organizationId, {
    actor: { type: 'API_KEY', id: row.id, name: row.name },
    userId,
    username,
    permissions: new Set(permissions),
    role,
  });
  const ids = { organizationId, userId, apiKeyId: row.id };
  const consolePath = `/api/v1/console/organizations/${organizationId}`;
  const api = serviceApi(app, apiKey);
  return { ...ids, username, password: PASSWORD, apiKey, caller, api, consolePath };
}

async function addUser(
  app: TestApp,
  organizationId: number,
  username: string,
  { permissions, role }: { permissions: readonly Permission[]; role: Role },
): Promise<number> {
  const rows = await app.sql<{ id: number }>(
    `INSERT INTO users (organization_id, username, password_hash, permissions, role, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6) RETURNING id`,
    [
      organizationId,
      username,
      await (passwordHash ??= hashPassword(PASSWORD, QUICK_HASH)),
      permissions,
      role,
      app.clock.date(),
    ],
  );
  return (rows[0] as { id: number }).id;
}

/** A caller for tests of services, by default the platform acting for the organization. */
export async function callerOf(
  app: TestApp,
  organizationId: number,
  overrides: Partial<Caller> = {},
): Promise<Caller> {
  const snapshot = await app.get(OrganizationCache).get(organizationId);
  if (!snapshot) throw new Error(`There is no organization ${organizationId}`);
  const { actor, userId, username, permissions, role, ip } = platform('127.0.0.1');
  const organization = snapshot.organization;
  const addOns = activeAddOns(snapshot, app.clock.now());
  const who = { actor, userId, username, permissions, role, ip };
  return { ...who, organizationId, organization, addOns, ...overrides };
}

/** Client for the Service API with that key. */
export function serviceApi(app: TestApp, apiKey: string): ApiClient {
  return new ApiClient(app, { 'X-API-KEY': apiKey });
}

/** Client for the Console API with the platform's token, or a user's. */
export function consoleApi(app: TestApp, token = CONSOLE_TOKEN): ApiClient {
  return new ApiClient(app, { Authorization: `Bearer ${token}` });
}

/** The two headers that authenticate an app in the SDK and cross-platform APIs. */
export function appHeaders({ id, apiKey }: { id: number; apiKey: string }): Record<string, string> {
  return { 'X-App-ID': String(id), 'X-Mobile-App-API-Key': apiKey };
}

/** Client for the SDK and cross-platform APIs with an app's id and key, which are read at each request. */
export function appApi(app: TestApp, registered: { id: number; apiKey: string }): ApiClient {
  return new ApiClient(app, () => appHeaders(registered));
}

/** Token of a user who signs in. */
export async function tokenOf(
  app: TestApp,
  { username, password }: { username: string; password: string },
): Promise<string> {
  const { body } = await consoleApi(app).post('/api/v1/console/login', { username, password }).expect(200);
  return (body as { token: string }).token;
}

/** Client for the Console API of a user who signs in. */
export async function signIn(app: TestApp, user: { username: string; password: string }): Promise<ApiClient> {
  return consoleApi(app, await tokenOf(app, user));
}

/** Entries of the audit log of an organization, newest first. @param query filters, such as `{ size: 1 }` */
export async function auditLog(
  app: TestApp,
  { consolePath }: Pick<TestOrganization, 'consolePath'>,
  query: object = {},
): Promise<Record<string, unknown>[]> {
  type Page = { content: Record<string, unknown>[] };
  return (await consoleApi(app).read<Page>(`${consolePath}/audit-log`, query)).content;
}

/** Counts one click of each visitor of a link or campaign in so many minutes. @param target `links/7` */
export async function deduplicate(
  app: TestApp,
  { consolePath }: Pick<TestOrganization, 'consolePath'>,
  target: string,
  windowMinutes = 10,
): Promise<void> {
  const settings = { deduplication: { enabled: true, windowMinutes } };
  await consoleApi(app).put(`${consolePath}/${target}/settings`, settings).expect(200);
}

/** Client for the Console API of a new user of the organization. */
export async function userOf(
  app: TestApp,
  { organizationId }: Pick<TestOrganization, 'organizationId'>,
  role: Role,
  permissions: readonly Permission[] = PERMISSIONS,
): Promise<ApiClient> {
  const user = { username: `${role}-${++made}`, password: PASSWORD };
  await consoleApi(app)
    .post(`/api/v1/console/organizations/${organizationId}/users`, { ...user, role, permissions })
    .expect(201);
  return signIn(app, user);
}
