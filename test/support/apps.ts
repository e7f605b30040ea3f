import type { TestOrganization } from './factories';

/** Registers an app through the API. */
export async function registerApp(
  { api }: TestOrganization,
  body: Record<string, unknown> = {},
): Promise<Record<string, unknown> & { id: number; path: string; apiKey: string }> {
  const response = await api
    .post('/api/v1/service/mobile-apps')
    .send({
      platform: 'iOS',
      appName: 'Shop',
      bundleId: 'com.example.shop',
      scheme: 'exampleshop://',
      storeUrl: 'https://apps.apple.com/app/id1234567890',
      ...body,
    })
    .expect(201);
  return response.body;
}

export const PLAY_STORE = 'https://play.google.com/store/apps/details?id=com.example.shop';
