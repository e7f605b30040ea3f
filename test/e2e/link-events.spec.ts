import { OgFetcher } from '../../src/modules/tracked-links/open-graph/og-fetcher';
import { Database, type Tx } from '../../src/infrastructure/database/database';
import { nextBundleId } from '../support/apps';
import { CAMPAIGNS, createCampaign } from '../support/campaigns';
import { consoleApi, createOrganization } from '../support/factories';
import { createDomain, createLink, URLS, VALID_LINK } from '../support/links';
import { cataloguedEvents, keepEvents } from '../support/outbox';
import { PagesServer } from '../support/pages-server';
import { perTest, useTestApp } from '../support/test-app';

describe('Events of links and campaigns', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z', env: { OG_FETCH: 'true' } });
  const org = perTest(() => createOrganization(app));
  beforeEach(() => keepEvents(app, org));
  afterEach(() => jest.restoreAllMocks());

  const events = async (by = org) =>
    (await cataloguedEvents(app, by.organizationId)).map(({ name, data }) => ({ name, data }));
  const names = async () => (await events()).map(({ name }) => name);
  const shown = (id: number) => org.api.read<object>(`${URLS}/${id}`);
  const settings = (kind: 'links' | 'campaigns', id: number) => `${org.consolePath}/${kind}/${id}`;

  it('report a link that is created, changed and deleted, as the API shows it', async () => {
    const link = await createLink(org, {
      title: 'Spring',
      tags: ['a'],
      utmSource: 'mail',
      password: 'sesame',
    });
    app.clock.set('2026-11-20T09:00:00Z');
    const { body: changed } = await org.api.put(`${URLS}/${link.id}`, { title: 'Summer' }).expect(200);
    await org.api.delete(`${URLS}/${link.id}`).expect(204);
    expect(await events()).toEqual([
      { name: 'link.created', data: link },
      { name: 'link.updated', data: changed },
      { name: 'link.deleted', data: changed },
    ]);
    expect(changed).toMatchObject({ title: 'Summer', utmSource: 'mail', hasPassword: true });
    expect(JSON.stringify(await events())).not.toContain('sesame');
  });

  it('report a campaign that is created, changed and deleted, as the API shows it', async () => {
    const campaign = await createCampaign(org, { alias: `spring-${org.organizationId}` });
    app.clock.set('2026-11-20T09:00:00Z');
    const { body: changed } = await org.api
      .put(`${CAMPAIGNS}/${campaign.id}`, { name: 'Summer', originalUrl: 'https://shop.example.com/summer' })
      .expect(200);
    await org.api.delete(`${CAMPAIGNS}/${campaign.id}`).expect(204);
    expect(await events()).toEqual([
      { name: 'campaign.created', data: campaign },
      { name: 'campaign.updated', data: changed },
      { name: 'campaign.deleted', data: changed },
    ]);
    expect(changed).toMatchObject({ name: 'Summer', updatedAt: '2026-11-20T09:00:00Z' });
  });

  it('report each link of a bulk request and of an import, and nothing of refused ones', async () => {
    const items = [VALID_LINK, { url: 'no' }, { ...VALID_LINK, customAlias: `b-${org.organizationId}` }];
    const { body } = await org.api.post(`${URLS}/bulk`, { items }).expect(200);
    const made = (body as { results: { url: object | null }[] }).results.flatMap(({ url }) => url ?? []);
    expect(await events()).toHaveLength(2);
    expect((await events()).map(({ data }) => data)).toEqual(expect.arrayContaining(made));
    await org.api
      .post(`${URLS}/import`)
      .set('Content-Type', 'text/csv')
      .send(`url,title\n${VALID_LINK.url},first\nno,second\n${VALID_LINK.url},third\n`)
      .expect(200);
    const imported = (await events()).slice(2);
    expect(imported.map(({ name, data }) => [name, data.title])).toEqual([
      ['link.created', 'first'],
      ['link.created', 'third'],
    ]);
  });

  it('report the settings of the console, and what the platform disables', async () => {
    const [link, campaign] = [await createLink(org), await createCampaign(org)];
    for (const [kind, { id }] of [
      ['links', link],
      ['campaigns', campaign],
    ] as const) {
      const at = settings(kind, id);
      await consoleApi(app)
        .put(`${at}/settings`, { adPage: { enabled: true } })
        .expect(200);
      await consoleApi(app).put(`${at}/disabled`, { reason: 'Phishing' }).expect(200);
      await consoleApi(app).delete(`${at}/disabled`).expect(204);
    }
    const updates = (await events()).slice(2);
    expect(updates.map(({ name, data }) => [name, data.showAdPage, data.disabledReason])).toEqual([
      ['link.updated', true, null],
      ['link.updated', true, 'Phishing'],
      ['link.updated', true, null],
      ['campaign.updated', true, null],
      ['campaign.updated', true, 'Phishing'],
      ['campaign.updated', true, null],
    ]);
  });

  it('report links and campaigns that lose their app', async () => {
    const made = { platform: 'iOS', appName: 'Shop', bundleId: nextBundleId(org, 'iOS') };
    const { body: ios } = await org.api.post('/api/v1/service/mobile-apps', made).expect(201);
    const link = await createLink(org, { iosAppId: ios.id, iosDeepLinkPath: '/p' });
    const campaign = await createCampaign(org, { iosAppId: ios.id });
    await createLink(org);
    await org.api.delete(`/api/v1/service/mobile-apps/${ios.id}`).expect(204);
    const updates = (await events()).slice(3);
    expect(updates).toEqual(
      expect.arrayContaining([
        { name: 'link.updated', data: await shown(link.id) },
        {
          name: 'campaign.updated',
          data: (await org.api.get(`${CAMPAIGNS}/${campaign.id}`).expect(200)).body,
        },
      ]),
    );
    expect(updates).toHaveLength(2);
    expect(updates.every(({ data }) => data.iosAppId === null)).toBe(true);
  });

  it('report Open Graph fields that were read from the destination', async () => {
    const pages = await PagesServer.start();
    pages.html('/page', '<title>Theirs</title>');
    const link = await createLink(org, { ogTitle: 'Ours' });
    const described = await createLink(org);
    await app.alter(`UPDATE links SET original_url = $2 WHERE id = ANY ($1)`, [
      [link.id, described.id],
      `${pages.origin}/page`,
    ]);
    await app.get(OgFetcher).run();
    await pages.close();
    expect((await events()).slice(2)).toEqual([{ name: 'link.updated', data: await shown(described.id) }]);
    expect(await shown(described.id)).toMatchObject({ ogTitle: 'Theirs' });
  });

  it('are not sent when nothing changes', async () => {
    const link = await createLink(org, { title: 'Spring' });
    await org.api.put(`${URLS}/${link.id}`, { title: 'Spring' }).expect(200);
    await org.api.put(`${URLS}/${link.id}`, await shown(link.id)).expect(200);
    await org.api.post(URLS, { url: 'no' }).expect(400);
    await org.api.put(`${URLS}/${link.id}`, { originalUrl: 'no' }).expect(400);
    await org.api.delete(`${URLS}/${link.id + 1_000}`).expect(404);
    const domain = await createDomain(app, org, `d${org.organizationId}.example`, 'ACTIVE');
    await createLink(org, { customDomainId: domain });
    await org.api.delete(`/api/v1/service/custom-domains/${domain}?force=true`);
    expect(await names()).toEqual(['link.created', 'link.created']);
  });

  it('are stored with the change or not at all', async () => {
    const link = await createLink(org, { title: 'Spring' });
    const database = app.get(Database);
    const original = database.write.bind(database);
    jest.spyOn(database, 'write').mockImplementation(<T>(work: (tx: Tx) => Promise<T>) =>
      original(async (tx: Tx) => {
        await work(tx);
        throw new Error('The commit fails');
      }),
    );
    await org.api.put(`${URLS}/${link.id}`, { title: 'Summer' }).expect(500);
    await org.api.post(URLS, VALID_LINK).expect(500);
    jest.restoreAllMocks();
    expect(await names()).toEqual(['link.created']);
    expect(await shown(link.id)).toMatchObject({ title: 'Spring' });
  });

  it('cost one look-up without subscribers, also for a thousand links', async () => {
    const quiet = await createOrganization(app);
    const database = app.get(Database);
    const hot = jest.spyOn(database, 'hot');
    const lookups = () =>
      hot.mock.calls.filter(([{ name }]) => name.startsWith('webhooks.')).map(([{ name }]) => name);
    const { body: link } = await quiet.api.post(URLS, VALID_LINK).expect(201);
    expect(lookups()).toEqual(['webhooks.subscriptions']);
    hot.mockClear();
    await quiet.api.put(`${URLS}/${link.id}`, { title: 'Summer' }).expect(200);
    await quiet.api.delete(`${URLS}/${link.id}`).expect(204);
    expect(lookups()).toEqual(['webhooks.subscriptions', 'webhooks.subscriptions']);
    hot.mockClear();
    const items = Array.from({ length: 1_000 }, () => VALID_LINK);
    await quiet.api.post(`${URLS}/bulk`, { items }).expect(200);
    expect(lookups()).toEqual(['webhooks.subscriptions']);
    expect(await events(quiet)).toEqual([]);
  });
});
