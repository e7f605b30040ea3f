import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { BrowserSession } from './browser-session';
import { consoleApi } from './factories';
import { type Account, TestIdentityProvider } from './identity-provider';
import { type TestApp, useTestApp } from './test-app';

export const OIDC_START = '/api/v1/console/oidc/start';

/** A service, the identity provider that it trusts, and people. */
export class OidcTests {
  networks = 0;

  constructor(
    readonly app: TestApp,
    readonly provider: () => TestIdentityProvider,
  ) {}

  /** A browser in the network of the current test. */
  browser(at = this.app): BrowserSession {
    return new BrowserSession(at).from(`198.51.100.${this.networks}`);
  }

  /** A person with an account at the provider. @returns the subject */
  person(account: Account): string {
    const subject = randomUUID();
    this.provider().accounts.set(subject, { email_verified: true, ...account });
    return subject;
  }

  /** Sends a browser to the provider and back. @returns the URL of the callback, not yet opened */
  async callback(browser: BrowserSession, subject: string | undefined, query = ''): Promise<string> {
    return this.provider().visit(await beginOidc(browser, query), subject);
  }

  /** Signs a person in. @returns the response of the callback */
  async signIn(subject: string, query = '', browser = this.browser()): Promise<Response> {
    return browser.send('get', await this.callback(browser, subject, query));
  }
}

/** Call it where hooks are declared. @param settings of the service, besides those of the provider */
export function useIdentityProvider(settings: Record<string, string> = {}): OidcTests {
  let provider: TestIdentityProvider;
  beforeAll(async () => {
    provider = await TestIdentityProvider.start();
  });
  afterAll(() => provider.stop());
  const app = useTestApp(() => ({ env: { ...provider.env, ...settings } }));
  const tests = new OidcTests(app, () => provider);
  beforeEach(() => {
    app.clock.run();
    tests.networks++;
  });
  return tests;
}

/** The signed-in user. */
export async function whoIs(browser: BrowserSession): Promise<Record<string, unknown>> {
  return (await browser.send('get', '/api/v1/console/me')).body as Record<string, unknown>;
}

/** Starts a sign-in. @returns the provider's URL */
export async function beginOidc(browser: BrowserSession, query = ''): Promise<string> {
  const { status, headers } = await browser.send('get', `${OIDC_START}${query}`);
  if (status !== 302) throw new Error(`The start of a sign-in answers ${status}`);
  return headers.location ?? '';
}

/** The error with which a response redirects to the sign-in page, else the URL that it redirects to. */
export function outcomeOf({ headers }: Response): string {
  const url = new URL(String(headers.location));
  return url.searchParams.get('error') ?? url.pathname + url.search;
}

let people = 0;

/** An address that no other test uses. */
export function newAddress(): string {
  return `person-${++people}@shop.example.com`;
}

/** Creates a user whose address has been set by an ADMIN. */
export async function createUser(app: TestApp, organizationId: number, email: string, fields: object = {}) {
  const username = `local-${++people}`;
  const password = 'correct horse battery staple';
  const { body } = await consoleApi(app)
    .post(`/api/v1/console/organizations/${organizationId}/users`, { username, password, email, ...fields })
    .expect(201);
  return { username, password, id: (body as { id: number }).id };
}

/** Invites a person. @returns the token in the link */
export async function invite(app: TestApp, organizationId: number, fields: object = {}): Promise<string> {
  const { body } = await consoleApi(app)
    .post(`/api/v1/console/organizations/${organizationId}/invitations`, fields)
    .expect(201);
  return (body as { url: string }).url.split('/').at(-1) ?? '';
}
