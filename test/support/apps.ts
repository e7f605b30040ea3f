import type { TestOrganization } from './factories';

const registered = new Map<string, number>();

/** A bundle ID that the organization does not use on that platform. */
export function nextBundleId({ apiKey }: TestOrganization, platform: unknown): string {
  const key = `${apiKey} ${String(platform).toLowerCase()}`;
  const count = (registered.get(key) ?? 0) + 1;
  registered.set(key, count);
  return count === 1 ? 'com.example.shop' : `com.example.shop.n${count}`;
}

/** Registers an app through the API. */
export async function registerApp(
  organization: TestOrganization,
  body: Record<string, unknown> = {},
): Promise<Record<string, unknown> & { id: number; path: string; apiKey: string }> {
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
