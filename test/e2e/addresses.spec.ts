import { APPS, registerApp } from '../support/apps';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { codeOf, createApp, createDomain, createLink, SHORT_ORIGIN, URLS } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const APPLE = '/.well-known/apple-app-site-association';
const OWN = 'links.addresses.example';

interface Addressed {
  id: number;
  link: string;
}

describe('URLs of links and campaigns', () => {
  const app = useTestApp();
  let customDomainId: number;
  let iosAppId: number;

  const org = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    customDomainId = await createDomain(app, org, OWN, 'ACTIVE');
    iosAppId = await createApp(app, org, 'iOS', 'addrs1');
    await app.alter(`UPDATE apps SET team_id = 'ABCDE12345' WHERE id = $1`, [iosAppId]);
  });
  beforeEach(() => app.clock.run());

  /** Follows a published URL. */
  const follow = (address: string) => {
    const { host, pathname, search } = new URL(address);
    return visit(app, `${pathname}${search}`, { host });
  };

  it('are in links, on either domain, with and without an app', async () => {
    const made = await Promise.all(
      [{}, { iosAppId }, { customDomainId }, { customDomainId, iosAppId }].map((body) =>
        createLink(org, body),
      ),
    );
    const [plain, tied, own, ownTied] = made.map((link) => codeOf(link));
    expect(made.map(({ link }) => link)).toEqual([
      `${SHORT_ORIGIN}/${plain}`,
      `${SHORT_ORIGIN}/addrs1/${tied}`,
      `https://${OWN}/${own}`,
      `https://${OWN}/addrs1/${ownTied}`,
    ]);
    expect(made.map(({ shortUrl }) => shortUrl)).toEqual([made[0]?.link, made[1]?.link, own, ownTied]);
    for (const { link, customDomainName, shortUrl } of made) {
      await follow(link as string).expect(302);
      if (customDomainName) await follow(`https://${OWN}/${shortUrl}`).expect(302);
    }
  });

  it('are in campaigns, on either domain, with and without an app', async () => {
    const made = await Promise.all(
      [{}, { iosAppId }, { customDomainId }, { customDomainId, iosAppId }].map((body) =>
        createCampaign(org, body),
      ),
    );
    const [plain, tied, own, ownTied] = made.map(({ alias }) => alias);
    expect(made.map(({ link }) => link)).toEqual([
      `${SHORT_ORIGIN}/c/${plain}`,
      `${SHORT_ORIGIN}/addrs1/c/${tied}`,
      `https://${OWN}/c/${own}`,
      `https://${OWN}/addrs1/c/${ownTied}`,
    ]);
    for (const { link } of made) {
      await follow(link as string).expect(302);
      await follow(`${link as string}/poster?cid=7`).expect(302);
      await follow((link as string).replace('/addrs1', '')).expect(302);
    }
  });

  it('are the same in every response with a link or campaign', async () => {
    const url = (await createLink(org, { customDomainId, iosAppId })) as unknown as Addressed;
    const campaign = (await createCampaign(org, { iosAppId })) as unknown as Addressed;
    const { body: qr } = await org.api.get(`${URLS}/${url.id}/qr`).expect(200);
    expect([qr.link, qr.shortUrl]).toEqual([url.link, url.link]);
    const shown = async ({ id }: Addressed, path: string, change: object) => [
      (await org.api.get(`${path}/${id}`).expect(200)).body,
      (await org.api.put(`${path}/${id}`, change).expect(200)).body,
      (await org.api.get(path, { size: 100 }).expect(200)).body.content.find(
        (item: Addressed) => item.id === id,
      ),
    ];
    const urls = await shown(url, URLS, { title: 'New' });
    urls.push((await org.api.get(`${URLS}/${url.id}/stats`).expect(200)).body.url);
    expect(urls.map(({ link }) => link)).toEqual(Array(4).fill(url.link));
    const campaigns = await shown(campaign, CAMPAIGNS, { name: 'New' });
    campaigns.push((await org.api.get(`${CAMPAIGNS}/${campaign.id}/stats`).expect(200)).body.campaign);
    expect(campaigns.map(({ link }) => link)).toEqual(Array(4).fill(campaign.link));
    const items = [{ url: 'https://example.com/', customDomainId, iosAppId, customAlias: 'bulk-made' }];
    const { body: bulk } = await org.api.post(`${URLS}/bulk`, { items }).expect(200);
    expect(bulk.results[0].url.link).toBe(`https://${OWN}/addrs1/bulk-made`);
  });

  it('count by tracker and customId under the namespace of the campaign’s app, and do not exist under another’s', async () => {
    await createApp(app, org, 'iOS', 'addrs2');
    const { id, alias } = await createCampaign(org, { iosAppId });
    await visit(app, `/addrs1/c/${alias}/poster/?cid=kim`).expect(302);
    await eventually(async () => {
      const { body } = await org.api.get(`${CAMPAIGNS}/${id}/stats`).expect(200);
      expect(body.topTrackers).toMatchObject([{ name: 'poster', count: 1 }]);
      expect(body.userClicks).toMatchObject([{ customId: 'kim', clicks: 1 }]);
    });
    const untied = await createCampaign(org);
    for (const path of [
      `/addrs2/c/${alias}`,
      `/addrs1/c/${untied.alias}`,
      `/addrs1/c/${alias}/a/b`,
      `/addrs1/x/${alias}`,
      '/addrs1/c/',
      '/addrs1/c',
    ]) {
      await visit(app, path).expect(404);
    }
  });

  it('keep working under a namespace when the app is changed or deleted', async () => {
    const first = await registerApp(org, { bundleId: 'com.example.first', scheme: null, storeUrl: null });
    const second = await registerApp(org, { bundleId: 'com.example.second', scheme: null, storeUrl: null });
    const { id, alias } = await createCampaign(org, { iosAppId: first.id });
    const at = (path: string) => visit(app, `/${path}/c/${alias}`);
    await at(first.path).expect(302);
    await org.api.put(`${CAMPAIGNS}/${id}`, { iosAppId: second.id }).expect(200);
    await at(first.path).expect(302);
    await at(second.path).expect(302);
    await org.api.delete(`${APPS}/${second.id}`).expect(204);
    const { body } = await org.api.get(`${CAMPAIGNS}/${id}`).expect(200);
    expect(body.link).toBe(`${SHORT_ORIGIN}/c/${alias}`);
    await at(first.path).expect(302);
    await at(second.path).expect(302);
  });

  it('of an app’s links and campaigns are all covered by the association file of either domain', async () => {
    const link = await createLink(org, { customDomainId, iosAppId });
    const campaign = await createCampaign(org, { customDomainId, iosAppId });
    const { text } = await visit(app, APPLE, { host: OWN }).expect(200);
    const [{ components }] = JSON.parse(text).applinks.details;
    expect(components).toEqual([{ '/': '/addrs1/*' }]);
    for (const { link: address } of [link, campaign]) {
      expect(new URL(address as string).pathname).toMatch(/^\/addrs1\//);
    }
  });
});
