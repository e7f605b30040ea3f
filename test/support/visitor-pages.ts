import { PLAY_STORE, registerApp } from './apps';
import { consoleApi, type TestOrganization } from './factories';
import { createDomain, createLink } from './links';
import type { TestApp } from './test-app';
import { CHROME, IPHONE } from './visits';

export const BRAND = {
  brandName: 'Acme Garden',
  logoUrl: 'https://cdn.example.com/acme.svg',
  brandColor: '#7c3aed',
};

/** A page for visitors. */
export interface VisitorPage {
  name: string;
  /** On a custom domain of the organization, except for pages that only the short domain has. */
  url: string;
  status: number;
  userAgent: string;
}

const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36 Instagram 389.0.0.19.84';
/** User agent of an in-app browser, in which the page waits for a choice and so can be inspected. */
const IN_APP = `${IPHONE.replace(/ Safari.*/, '')} Instagram 389.0.0.19.84`;
let made = 0;

/** One of each page that a GET returns. */
export async function visitorPages(app: TestApp, organization: TestOrganization): Promise<VisitorPage[]> {
  const domain = `links-${++made}.brand.test`;
  const customDomainId = await createDomain(app, organization, domain, 'ACTIVE');
  const pages: VisitorPage[] = [];
  const add = (name: string, url: string, status = 200, userAgent = CHROME) =>
    pages.push({ name, url, status, userAgent });
  const link = async (body: object) => {
    const made = await createLink(organization, { customDomainId, title: 'Everything for spring', ...body });
    return { id: made.id, url: `http://${domain}/${made.shortUrl}` };
  };
  add('root', `http://${domain}/`);
  add('not-found', `http://${domain}/nothing-here`, 404);
  const expired = await link({ expirationDate: '2999-01-01' });
  await app.alter(`UPDATE links SET expires_at = '2000-01-01' WHERE id = $1`, [expired.id]);
  add('expired', expired.url, 410);
  const usedUp = await link({ maxClicks: 1 });
  await app.alter('UPDATE links SET used_clicks = 1 WHERE id = $1', [usedUp.id]);
  add('used-up', usedUp.url, 410);
  add('password', (await link({ password: 'open sesame' })).url);
  add('ad', (await link({ showAdPage: true, ogImageUrl: 'https://cdn.example.com/spring.png' })).url);
  const icon = { appIconUrl: 'https://cdn.example.com/icon.png', appName: 'Acme Shop' };
  const iosAppId = (await registerApp(organization, { ...icon })).id;
  const android = { platform: 'Android', storeUrl: PLAY_STORE, ...icon };
  const androidAppId = (await registerApp(organization, android)).id;
  const opens = await link({ iosAppId, androidAppId, title: null });
  add('app-ios', opens.url, 200, IN_APP);
  add('app-android', opens.url, 200, ANDROID);
  const optOut = async (body: object) => {
    const path = `/api/v1/console/organizations/${organization.organizationId}/messaging/opt-out-links`;
    return (await consoleApi(app).post(path, body).expect(201)).body.url as string;
  };
  add('opt-out-sms', await optOut({ value: '+821012345678' }));
  add('opt-out-whatsapp', await optOut({ channel: 'WHATSAPP' }));
  add('opt-out-email', await optOut({ channel: 'EMAIL' }));
  const unknown = new URL(await optOut({}));
  unknown.pathname = `/u/${'a'.repeat(22)}`;
  add('opt-out-unknown', unknown.href, 404);
  return pages;
}

/** Sets the organization's brand, by default that of the tests. */
export async function setBrand(
  app: TestApp,
  { organizationId }: TestOrganization,
  brand: object,
): Promise<void> {
  await consoleApi(app).patch(`/api/v1/console/organizations/${organizationId}`, brand).expect(200);
}
