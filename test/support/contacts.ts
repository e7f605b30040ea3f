import { createOrganization, type OrganizationOverrides, type TestOrganization } from './factories';
import type { TestApp } from './test-app';

export const CONTACTS = '/api/v1/service/messaging/contacts';
export const GROUPS = '/api/v1/service/messaging/groups';

/** `optedOut` of a contact on no opt-out list. */
export const NOT_OPTED_OUT = { sms: false, email: false, whatsapp: false };

export interface ShownContact extends Record<string, unknown> {
  id: number;
  groupIds: number[];
  customFields: Record<string, string>;
}

/** Creates a Korean organization whose allow-list includes this machine. */
export function createBook(app: TestApp, overrides: OrganizationOverrides = {}): Promise<TestOrganization> {
  return createOrganization(app, { defaultRegion: 'KR', allowList: ['127.0.0.0/8'], ...overrides });
}

/** Saves a contact through the API and returns it. */
export async function saveContact(
  { api }: TestOrganization,
  body: Record<string, unknown> = {},
  status = 201,
): Promise<ShownContact> {
  const response = await api.post(CONTACTS, body).expect(status);
  return response.body as ShownContact;
}

/** Contact ids on a page of the list. */
export async function listIds(
  { api }: TestOrganization,
  query: Record<string, string | number | boolean> = {},
): Promise<number[]> {
  const { body } = await api.get(CONTACTS, query).expect(200);
  return (body.content as { id: number }[]).map(({ id }) => id);
}
