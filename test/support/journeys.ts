import { randomUUID } from 'node:crypto';
import { registerApp } from './apps';
import {
  type ApiClient,
  appApi,
  createOrganization,
  type OrganizationOverrides,
  type TestOrganization,
} from './factories';
import { keepEvents } from './outbox';
import type { TestApp } from './test-app';

export const SESSIONS = '/api/v1/cross-platform/session';

/** An organization with an app, and a client for the cross-platform API with its key. */
export interface AppOwner extends TestOrganization {
  appId: number;
  sdk: ApiClient;
}

export async function createAppOwner(
  app: TestApp,
  overrides: OrganizationOverrides & { platform?: 'iOS' | 'Android' | 'Web' } = {},
): Promise<AppOwner> {
  const { platform = 'iOS', ...settings } = overrides;
  const organization = await createOrganization(app, settings);
  await keepEvents(app, organization);
  return { ...organization, ...(await addApp(app, organization, platform)) };
}

/** Adds an app to an organization. */
export async function addApp(
  app: TestApp,
  organization: TestOrganization,
  platform: 'iOS' | 'Android' | 'Web',
): Promise<{ appId: number; sdk: ApiClient }> {
  const registered = await registerApp(organization, { platform });
  return { appId: registered.id, sdk: appApi(app, registered) };
}

/** Creates a session through the API. */
export async function createSession(
  { sdk }: AppOwner,
  body: Record<string, unknown> = {},
): Promise<Record<string, unknown> & { sessionId: string }> {
  const response = await sdk
    .post(`${SESSIONS}/create`, { platform: 'WEB', sessionId: randomUUID(), ...body })
    .expect(201);
  return response.body;
}

/** Records a stage or goal through the API. */
export async function track(
  { sdk }: AppOwner,
  body: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const response = await sdk.post(`${SESSIONS}/funnel/track`, body).expect(200);
  return response.body;
}
