import { ClickRecorder, type Visit } from '../../src/modules/clicks/click-recorder';
import { AppPageTokens } from '../../src/modules/attribution/tokens/app-page-tokens';
import type { TestOrganization } from './factories';
import type { TestApp } from './test-app';
import { IPHONE } from './visits';

/** Opens the app page of a tracked link as a redirect does, but without an HTTP response. @returns the page's token */
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
