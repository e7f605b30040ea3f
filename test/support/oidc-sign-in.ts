import type { Response } from 'supertest';
import type { BrowserSession } from './browser-session';
import { consoleApi } from './factories';
import type { TestIdentityProvider } from './identity-provider';
import type { TestApp } from './test-app';

export const OIDC_START = '/api/v1/console/oidc/start';

/** Sends a browser to the provider. @returns where it goes */
export async function beginOidc(browser: BrowserSession, query = ''): Promise<string> {
  const { status, headers } = await browser.send('get', `${OIDC_START}${query}`);
  if (status !== 302) throw new Error(`The start of a sign-in answers ${status}`);
  return headers.location ?? '';
}

/** Signs a person in. @returns the answer of the callback */
export async function signInWith(
  provider: TestIdentityProvider,
  browser: BrowserSession,
  subject: string,
  query = '',
): Promise<Response> {
  return browser.send('get', await provider.visit(await beginOidc(browser, query), subject));
}

/** The error that an answer takes the browser to the sign-in page with; else where it takes the browser. */
export function outcomeOf({ headers }: Response): string {
  const url = new URL(String(headers.location));
  return url.searchParams.get('error') ?? url.pathname + url.search;
}

let people = 0;

/** An address that no other test uses. */
export function newAddress(): string {
  return `person-${++people}@shop.example.com`;
}

/** Creates a user whose address an ADMIN has set. */
export async function createUser(app: TestApp, organizationId: number, email: string, fields: object = {}) {
  const username = `local-${++people}`;
  const password = 'correct horse battery staple';
  const { body } = await consoleApi(app)
    .post(`/api/v1/console/organizations/${organizationId}/users`)
    .send({ username, password, email, ...fields })
    .expect(201);
  return { username, password, id: (body as { id: number }).id };
}

/** Invites a person. @returns the token of the link */
export async function invite(app: TestApp, organizationId: number, fields: object = {}): Promise<string> {
  const { body } = await consoleApi(app)
    .post(`/api/v1/console/organizations/${organizationId}/invitations`)
    .send(fields)
    .expect(201);
  return (body as { url: string }).url.split('/').at(-1) ?? '';
}
