import { createHmac } from 'node:crypto';
import type { TestOrganization } from './factories';

export const APPS = '/api/v1/service/mobile-apps';

const registered = new Map<string, number>();

/** A bundle ID that the organization does not use on that platform. */
export function nextBundleId({ apiKey }: TestOrganization, platform: unknown): string {
  const key = `${apiKey} ${String(platform).toLowerCase()}`;
  const count = (registered.get(key) ?? 0) + 1;
  registered.set(key, count);
  return count === 1 ? 'com.example.shop' : `com.example.shop.n${count}`;
}

export type RegisteredApp = Record<string, unknown> &
  Record<'path' | 'apiKey' | 'publishableKey', string> & { id: number };

/** The app with its publishable key in place of the secret one. */
export function publishably({ id, publishableKey }: RegisteredApp): { id: number; apiKey: string } {
  return { id, apiKey: publishableKey };
}

/** X-Identity-Signature of a member, as the server of the app makes it. */
export function signatureOf({ apiKey }: { apiKey: string }, member: string): string {
  return createHmac('sha256', apiKey).update(member).digest('hex');
}

/** Registers an app through the API. */
export async function registerApp(
  organization: TestOrganization,
  body: Record<string, unknown> = {},
): Promise<RegisteredApp> {
  const response = await organization.api
    .post('/api/v1/service/mobile-apps', {
      platform: 'iOS',
      appName: 'Shop',
      bundleId: nextBundleId(organization, body.platform ?? 'iOS'),
      scheme: 'exampleshop://',
      storeUrl: 'https://apps.apple.com/app/id1234567890',
      ...body,
    })
    .expect(201);
  return response.body;
}

export const PLAY_STORE = 'https://play.google.com/store/apps/details?id=com.example.shop';
