import { DEFAULT_DOMAIN } from '../../src/modules/tracked-links/code-domains';
import { AppCache } from '../../src/modules/apps/cache/app-cache';
import { APPS, nextBundleId } from '../support/apps';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { heard } from '../support/eventually';
import { auditLog, createOrganization } from '../support/factories';
import { codeOf, createLink, SHORT_ORIGIN, URLS } from '../support/links';
import { perSuite, TestApp, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';
import { LinkCache } from '../../src/modules/tracked-links/tracked-link-cache';

interface Registered {
  id: number;
  path: string;
}

describe('deleting an app', () => {
  const app = useTestApp();
  const org = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));

  async function register(platform: 'iOS' | 'Android' | 'Web' = 'iOS', by = org): Promise<Registered> {
    const body = { platform, appName: 'Shop', bundleId: nextBundleId(by, platform) };
    return (await by.api.post(APPS, body).expect(201)).body;
  }
  const remove = ({ id }: Registered) => org.api.delete(`${APPS}/${id}`).expect(204);
  const shown = async (link: { id: number }) => (await org.api.get(`${URLS}/${link.id}`).expect(200)).body;

  it('makes it missing, also for a second deletion', async () => {
    const made = await register();
    await other.api.delete(`${APPS}/${made.id}`).expect(404);
    await org.api.get(`${APPS}/${made.id}`).expect(200);
    expect((await remove(made)).text).toBe('');
    for (const answer of [
      org.api.get(`${APPS}/${made.id}`),
      org.api.put(`${APPS}/${made.id}`, { appName: 'Again' }),
      org.api.delete(`${APPS}/${made.id}`),
      org.api.get(`${APPS}/${made.id}/install-stats`),
    ]) {
      expect((await answer.expect(404)).body.code).toBe('NOT_FOUND');
    }
    const { body } = await org.api.get(`${APPS}?size=100`);
    expect(body.content.map(({ id }: Registered) => id)).not.toContain(made.id);
    await org.api.post(URLS, { url: 'https://shop.example.com/', iosAppId: made.id }).expect(400);
  });

  it('removes app and deep-link path from its links, but not those of the other platform', async () => {
    const [ios, android] = [await register('iOS'), await register('Android')];
    const link = await createLink(org, {
      iosAppId: ios.id,
      androidAppId: android.id,
      iosDeepLinkPath: '/ios/1',
      androidDeepLinkPath: '/android/1',
    });
    await remove(ios);
    expect(await shown(link)).toEqual({
      ...link,
      link: `${SHORT_ORIGIN}/${android.path}/${codeOf(link)}`,
      shortUrl: `${SHORT_ORIGIN}/${android.path}/${codeOf(link)}`,
      iosAppId: null,
      iosDeepLinkPath: null,
      updatedAt: expect.any(String),
    });
    await remove(android);
    expect(await shown(link)).toMatchObject({
      shortUrl: `${SHORT_ORIGIN}/${codeOf(link)}`,
      androidAppId: null,
      androidDeepLinkPath: null,
    });
  });

  it('removes app and deep-link path from its campaigns, whose URLs keep working', async () => {
    const ios = await register();
    const campaign = await createCampaign(org, { iosAppId: ios.id, iosDeepLinkPath: '/ios/1' });
    await visit(app, `/c/${campaign.alias}`).expect(302);
    await remove(ios);
    const { body } = await org.api.get(`${CAMPAIGNS}/${campaign.id}`).expect(200);
    expect(body).toMatchObject({ iosAppId: null, iosDeepLinkPath: null, iosAppName: null, appPath: null });
    await visit(app, `/c/${campaign.alias}`).expect(302);
  });

  it('keeps every published URL working, with and without the app’s path', async () => {
    const [first, second, stranger] = [await register(), await register('Android'), await register()];
    const link = await createLink(org, { iosAppId: first.id, androidAppId: second.id });
    const code = codeOf(link);
    const addresses = [`/${code}`, `/${first.path}/${code}`];
    for (const address of addresses) await visit(app, address).expect(302);
    await remove(first);
    addresses.push(`/${second.path}/${code}`);
    for (const address of addresses) await visit(app, address).expect(302);
    await remove(second);
    for (const address of addresses) {
      const { headers } = await visit(app, address).expect(302);
      expect(headers.location).toBe('https://shop.example.com/spring');
    }
    await visit(app, `/${stranger.path}/${code}`).expect(404);
    await org.api.delete(`${URLS}/${link.id}`).expect(204);
    for (const address of addresses) await visit(app, address).expect(404);
  });

  it('is like switching to another app, after which the published URLs keep working as well', async () => {
    const [first, second] = [await register(), await register()];
    const link = await createLink(org, { iosAppId: first.id, iosDeepLinkPath: '/ios/1' });
    for (const iosAppId of [second.id, first.id, second.id, null]) {
      await org.api.put(`${URLS}/${link.id}`, { iosAppId }).expect(200);
    }
    for (const { path } of [first, second]) await visit(app, `/${path}/${codeOf(link)}`).expect(302);
    expect(await shown(link)).toMatchObject({ iosAppId: null, iosDeepLinkPath: '/ios/1' });
    const rows = await app.sql<{ former: number }>(
      'SELECT cardinality(former_app_ids) AS former FROM links WHERE id = $1',
      [link.id],
    );
    expect(rows).toEqual([{ former: 2 }]);
  });

  it('reaches another process', async () => {
    const second = await TestApp.start({ database: app.database });
    const ios = await register();
    const link = await createLink(org, { iosAppId: ios.id });
    const path = `/${ios.path}/${codeOf(link)}`;
    await visit(second, path).expect(302);
    const known = () => second.get(AppCache).find(ios.id);
    expect(await known()).toMatchObject({ id: ios.id, path: ios.path });
    await remove(ios);
    await heard(async () => {
      expect(await known()).toBeNull();
      const target = await second.get(LinkCache).find(DEFAULT_DOMAIN, codeOf(link));
      expect(target).toMatchObject({ iosAppId: null, appPath: null, formerAppPaths: [ios.path] });
    });
    await visit(second, path).expect(302);
    await second.close();
  });

  it('is audited once, with the number of references', async () => {
    const ios = await register();
    for (let i = 0; i < 3; i++) await createLink(org, { iosAppId: ios.id });
    await createCampaign(org, { iosAppId: ios.id });
    await remove(ios);
    expect(await auditLog(app, org, { size: 1 })).toEqual([
      expect.objectContaining({
        action: 'app.delete',
        resourceType: 'app',
        resourceId: String(ios.id),
        changes: { links: { from: 3, to: 0 }, campaigns: { from: 1, to: 0 } },
      }),
    ]);
  });

  it('leaves no link that refers to it, even when links are created and changed concurrently', async () => {
    const [ios, android] = [await register(), await register('Android')];
    const free = await createLink(org);
    const ties = { iosAppId: ios.id, androidAppId: android.id, iosDeepLinkPath: '/1' };
    const calls = Array.from({ length: 40 }, (_, i) =>
      i === 20
        ? org.api.delete(`${APPS}/${ios.id}`)
        : i % 10 === 5
          ? org.api.put(`${URLS}/${free.id}`, ties)
          : org.api.post(URLS, { url: 'https://shop.example.com/', ...ties }),
    );
    const answers = await Promise.all(calls);
    expect(answers[20]?.status).toBe(204);
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 201, 204, 400].includes(status))).toEqual([]);
    const rows = await app.sql(
      `SELECT id FROM links WHERE ios_app_id = $1 OR (ios_app_id IS NULL AND ios_deep_link_path = '/1')`,
      [ios.id],
    );
    expect(rows).toEqual([]);
  });

  it('succeeds for both apps of a product at once', async () => {
    const [ios, android] = [await register(), await register('Android')];
    for (let i = 0; i < 20; i++) await createLink(org, { iosAppId: ios.id, androidAppId: android.id });
    await Promise.all([remove(ios), remove(android)]);
    expect(await app.sql('SELECT id FROM links WHERE $1 IN (ios_app_id, android_app_id)', [ios.id])).toEqual(
      [],
    );
  });
});
