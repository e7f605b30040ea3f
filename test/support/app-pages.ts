import { createHmac, randomBytes } from 'node:crypto';
import { ClickRecorder, type Visit } from '../../src/modules/clicks/click-recorder';
import { AppPageTokens } from '../../src/modules/attribution/tokens/app-page-tokens';
import type { TestOrganization } from './factories';
import type { TestApp } from './test-app';
import { IPHONE } from './visits';

/** Opens the app page of a tracked link as a redirect does, but without the HTTP response. @returns the page's token */
export async function openAppPage(
  app: TestApp,
  { organizationId }: TestOrganization,
  visit: Pick<Visit, 'trackedLinkId' | 'appIds'> & Partial<Visit>,
): Promise<string> {
  const { token, key } = app.get(AppPageTokens).issue(organizationId);
  await app.get(ClickRecorder).record({
    kind: 'link',
    organizationId,
    ip: '203.0.113.7',
    userAgent: IPHONE,
    referrer: null,
    tracker: null,
    customId: null,
    utm: null,
    deduplicationWindowMinutes: null,
    tokenKey: key,
    ...visit,
  }).journaled;
  return token;
}

/** A token as the version before issued it: without an organization. */
export async function tokenBefore(app: TestApp): Promise<{ token: string; key: string }> {
  const [{ key } = { key: Buffer.of() }] = await app.sql<{ key: Buffer }>('SELECT key FROM deep_link_keys');
  const body = Buffer.concat([Buffer.alloc(6), randomBytes(16)]);
  body.writeUIntBE(app.clock.now(), 0, 6);
  const mac = createHmac('sha256', key).update(body).digest().subarray(0, 10);
  const token = Buffer.concat([body, mac]).toString('base64url');
  const { issuedAt, hash } = app.get(AppPageTokens).read(token) ?? { issuedAt: 0, hash: '' };
  return { token, key: `${issuedAt}.${hash}` };
}
