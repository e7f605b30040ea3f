import { AppKeys } from '../../src/modules/apps/keys/app-keys';
import type { TestOrganization } from './factories';
import { SHORT_HOST, type TestApp } from './test-app';

export const URLS = '/api/v1/service/urls';

/** A valid body of POST /urls. */
export const VALID_LINK = { url: 'https://shop.example.com/spring' };

/** Creates a link through the API and returns the short URL. */
export async function createLink(
  { api }: TestOrganization,
  body: Record<string, unknown> = {},
): Promise<Record<string, unknown> & { id: number; shortUrl: string }> {
  const response = await api.post('/api/v1/service/urls', { ...VALID_LINK, ...body }).expect(201);
  return response.body;
}

/** The code in a short URL, of the default or a custom domain. */
export function codeOf({ shortUrl }: { shortUrl: string }): string {
  return shortUrl.slice(shortUrl.lastIndexOf('/') + 1);
}

export const SHORT_ORIGIN = `http://${SHORT_HOST}`;

/** Creates an app with a given path, which the API does not allow. */
export async function createApp(
  app: TestApp,
  { organizationId }: TestOrganization,
  platform: 'iOS' | 'Android' | 'Web',
  path: string,
): Promise<number> {
  const [row] = await app.sql<{ id: number }>(
    `INSERT INTO apps (organization_id, app_name, platform, bundle_id, path, created_at, api_key, api_key_hash, publishable_key)
     VALUES ($1, 'Shop', $2, 'com.example.shop', $3, now(), '', sha256(gen_random_uuid()::text::bytea), '') RETURNING id`,
    [organizationId, platform, path],
  );
  const id = row?.id ?? 0;
  const { apiKey, apiKeyHash } = app.get(AppKeys).make({ id, organizationId });
  await app.sql('UPDATE apps SET api_key = $2, api_key_hash = $3 WHERE id = $1', [id, apiKey, apiKeyHash]);
  return id;
}

/** Creates a custom domain in a given state. */
export async function createDomain(
  app: TestApp,
  { organizationId }: TestOrganization,
  domainName: string,
  status: string,
): Promise<number> {
  const rows = await app.sql<{ id: number }>(
    `INSERT INTO custom_domains (organization_id, domain_name, status, created_at)
     VALUES ($1, $2, $3, now()) RETURNING id`,
    [organizationId, domainName, status],
  );
  return rows[0]?.id ?? 0;
}
