import { CAMPAIGNS, createCampaign, VALID_CAMPAIGN } from '../support/campaigns';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { createApp, createDomain, createLink } from '../support/links';
import { useTestApp } from '../support/test-app';

const FIELDS = [
  ...[
    'id',
    'name',
    'alias',
    'link',
    'originalUrl',
    'createdAt',
    'updatedAt',
    'expiresAt',
    'username',
    'clickCount',
  ],
  ...['iosAppId', 'androidAppId', 'iosAppName', 'iosAppIconUrl', 'androidAppName', 'androidAppIconUrl'],
  ...[
    'utmSource',
    'utmMedium',
    'utmTerm',
    'utmContent',
    'utmCampaign',
    'appPath',
    'customDomainName',
    'goalType',
    'title',
  ],
  ...[
    'iosDeepLinkPath',
    'androidDeepLinkPath',
    'mobileTargetUrl',
    'showAdPage',
    'appendClickId',
    'disabledReason',
    'externalId',
    'formerAliases',
    'healthStatus',
    'healthCheckedAt',
    'healthProblem',
  ],
  ...['ogTitle', 'ogDescription', 'ogImageUrl'],
  ...['enabled', 'archived', 'startsAt', 'notStartedUrl', 'expiredUrl', 'forwardQuery'],
  ...[
    'tags',
    'hasPassword',
    'maxClicks',
    'usedClicks',
    'importedClicks',
    'legacyCode',
    'targeting',
    'variants',
  ],
];

describe('campaigns', () => {
  const app = useTestApp();
  let org: TestOrganization;
  let other: TestOrganization;

  beforeAll(async () => {
    org = await createOrganization(app);
    other = await createOrganization(app);
  });
  beforeEach(() => app.clock.set('2026-11-20T08:32:00Z'));

  const post = (body: object, { api }: TestOrganization = org) =>
    api.post(CAMPAIGNS, { ...VALID_CAMPAIGN, ...body });
  const get = async (id: number) => (await org.api.get(`${CAMPAIGNS}/${id}`).expect(200)).body;
  const entries = (id: number) =>
    app.sql<{ action: string; changes: Record<string, unknown> }>(
      `SELECT action, changes FROM audit_log WHERE resource_type = 'campaign' AND resource_id = $1 ORDER BY id`,
      [String(id)],
    );

  describe('POST', () => {
    it('returns every field, nulls included, and a random alias', async () => {
      const { body } = await org.api.post(CAMPAIGNS, VALID_CAMPAIGN).expect(201);
      expect(Object.keys(body).sort()).toEqual([...FIELDS].sort());
      expect(body).toMatchObject({
        ...VALID_CAMPAIGN,
        alias: expect.stringMatching(/^[0-9A-Za-z]{7}$/),
        createdAt: '2026-11-20T08:32:00Z',
        updatedAt: '2026-11-20T08:32:00Z',
        expiresAt: null,
        username: org.username,
        clickCount: 0,
        appPath: null,
        customDomainName: null,
      });
      expect(await get(body.id)).toEqual(body);
      const [entry] = await entries(body.id);
      expect(entry).toMatchObject({ action: 'campaign.create', changes: { alias: { to: body.alias } } });
    });

    it('stores the fields of a short link too, and reads utm values from the destination', async () => {
      const fields = {
        title: 'Title',
        ogTitle: 'og',
        mobileTargetUrl: 'https://m.example.com/',
        showAdPage: true,
      };
      const campaign = await createCampaign(org, {
        ...fields,
        originalUrl: 'https://shop.example.com/?utm_source=paper&utm_term=shoes',
        utmTerm: 'boots',
      });
      expect(campaign).toMatchObject({ ...fields, utmSource: 'paper', utmTerm: 'boots', utmMedium: null });
    });

    it('accepts name, alias, destination and goal up to their limits', async () => {
      const full = {
        name: '이'.repeat(50),
        alias: 'Q'.repeat(50),
        originalUrl: `https://long.example.com/${'a'.repeat(975)}`,
        goalType: 'g'.repeat(50),
      };
      expect(await createCampaign(org, full)).toMatchObject(full);
      for (const [field, value] of Object.entries(full)) {
        const { body } = await post({ ...full, [field]: `${value}a` }).expect(400);
        expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
      }
    });

    it.each([
      ['alias', 'a b'],
      ['alias', 'ä'],
      ['alias', 'a/b'],
      ['originalUrl', 'http://example.com/'],
      ['expiresAt', 'tomorrow'],
      ['expiresAt', '2026-11-20T08:32:00Z'],
    ])('refuses %s of %j by name', async (field, value) => {
      const { body } = await post({ [field]: value }).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    });

    it('refuses unusable destinations, aliases and apps', async () => {
      const foreignApp = await createApp(app, other, 'iOS', 'foreign-app');
      const android = await createApp(app, org, 'Android', 'own-android');
      for (const [body, code] of [
        [{ originalUrl: 'https://127.0.0.1/' }, 'DESTINATION_NOT_ALLOWED'],
        [{ mobileTargetUrl: 'https://localhost/' }, 'DESTINATION_NOT_ALLOWED'],
        [{ alias: 'API' }, 'RESERVED_ALIAS'],
        [{ iosAppId: foreignApp }, 'APP_NOT_USABLE'],
        [{ iosAppId: android }, 'APP_NOT_USABLE'],
      ] as const) {
        const answer = await post(body).expect(400);
        expect(answer.body).toMatchObject({ code, details: [{ field: Object.keys(body)[0] }] });
      }
    });

    it('shows its apps and its domain', async () => {
      const ios = await createApp(app, org, 'iOS', 'campaign-ios');
      const android = await createApp(app, org, 'Android', 'campaign-android');
      const domain = await createDomain(app, org, 'active.campaigns.example', 'ACTIVE');
      const campaign = await createCampaign(org, {
        iosAppId: ios,
        androidAppId: android,
        customDomainId: domain,
      });
      expect(campaign).toMatchObject({
        iosAppId: ios,
        iosAppName: 'Shop',
        androidAppId: android,
        androidAppName: 'Shop',
        appPath: 'campaign-ios',
        customDomainName: 'active.campaigns.example',
      });
      expect((await createCampaign(org, { androidAppId: android })).appPath).toBe('campaign-android');
    });
  });

  describe('aliases', () => {
    it('are unique among the campaigns of a domain, independent of links', async () => {
      await createLink(org, { customAlias: 'shared' });
      const domain = await createDomain(app, org, 'alias.campaigns.example', 'VERIFIED');
      await createCampaign(org, { alias: 'shared' });
      await createCampaign(org, { alias: 'SHARED' });
      await createCampaign(org, { alias: 'shared', customDomainId: domain });
      await post({ alias: 'shared' }).expect(409);
      await post({ alias: 'shared' }, other).expect(409);
      await post({ alias: 'shared', customDomainId: domain }).expect(409);
    });

    it('return only to the organization that had them', async () => {
      const first = await createCampaign(org, { alias: 'again' });
      await org.api.delete(`${CAMPAIGNS}/${first.id}`).expect(204);
      await post({ alias: 'again' }, other).expect(409);
      const second = await createCampaign(org, { alias: 'again' });
      expect(second.id).not.toBe(first.id);
      const generated = await createCampaign(org);
      await org.api.delete(`${CAMPAIGNS}/${generated.id}`).expect(204);
      await post({ alias: generated.alias }).expect(409);
    });
  });

  describe('PUT', () => {
    it('changes only the fields supplied, clears with null, keeps alias and domain', async () => {
      const before = await createCampaign(org, {
        expiresAt: '2030-01-01T00:00:00+09:00',
        goalType: 'signup',
        title: 'Title',
      });
      expect(before.expiresAt).toBe('2029-12-31T15:00:00Z');
      app.clock.set('2026-11-20T09:00:00Z');
      const elsewhere = { name: 'Summer', customDomainId: 1 };
      const refused = await org.api.put(`${CAMPAIGNS}/${before.id}`, elsewhere).expect(400);
      expect(refused.body.details).toEqual([{ field: 'customDomainId', message: 'cannot be changed' }]);
      const change = { name: 'Summer', alias: before.alias, customDomainId: null, goalType: null };
      const { body } = await org.api.put(`${CAMPAIGNS}/${before.id}`, change).expect(200);
      expect(body).toEqual({
        ...before,
        name: 'Summer',
        goalType: null,
        updatedAt: '2026-11-20T09:00:00Z',
      });
      const cleared = await org.api
        .put(`${CAMPAIGNS}/${before.id}`, { expiresAt: null, name: null, originalUrl: null })
        .expect(200);
      expect(cleared.body).toEqual({ ...body, expiresAt: null });
      expect(await get(before.id)).toEqual(cleared.body);
      const [, update] = await entries(before.id);
      expect(update).toEqual({
        action: 'campaign.update',
        changes: { name: { from: 'Spring sale', to: 'Summer' }, goalType: { from: 'signup', to: null } },
      });
    });

    it('writes nothing when nothing changes', async () => {
      const { id, updatedAt } = await createCampaign(org);
      app.clock.advance(60_000);
      const { body } = await org.api.put(`${CAMPAIGNS}/${id}`, VALID_CAMPAIGN).expect(200);
      expect(body.updatedAt).toBe(updatedAt);
      expect(await entries(id)).toHaveLength(1);
    });

    it.each([
      ['originalUrl', 'javascript:alert(1)'],
      ['expiresAt', '2026-11-20T08:31:59Z'],
    ])('refuses %s of %j by name', async (field, value) => {
      const { id } = await createCampaign(org);
      const { body } = await org.api.put(`${CAMPAIGNS}/${id}`, { [field]: value }).expect(400);
      expect(body.details).toMatchObject([{ field }]);
    });
  });

  it('is missing for others, and after its deletion', async () => {
    const { id } = await createCampaign(org);
    const path = `${CAMPAIGNS}/${id}`;
    await other.api.get(path).expect(404);
    await other.api.put(path, { name: 'Mine' }).expect(404);
    await other.api.delete(path).expect(404);
    await org.api.delete(path).expect(204);
    await org.api.delete(path).expect(404);
    await org.api.get(path).expect(404);
    await org.api.put(path, {}).expect(404);
    expect((await entries(id)).map(({ action }) => action)).toEqual(['campaign.create', 'campaign.delete']);
  });

  describe('list', () => {
    let lister: TestOrganization;
    const list = async (query: Record<string, unknown> = {}) =>
      (await lister.api.get(CAMPAIGNS, query).expect(200)).body;
    const names = async (query: Record<string, unknown> = {}) =>
      (await list(query)).content.map(({ name }: { name: string }) => name);

    beforeAll(async () => {
      lister = await createOrganization(app);
      for (const [i, name] of ['Über uns', '100% off', 'Herbst_Aktion', '봄 세일'].entries()) {
        app.clock.set(`2026-11-0${i + 1}T12:00:00Z`);
        await createCampaign(lister, { name, ...(i === 0 && { alias: 'Find-Me' }) });
      }
      app.clock.set('2026-11-20T08:32:00Z');
      const gone = await createCampaign(lister, { name: 'Gone' });
      await lister.api.delete(`${CAMPAIGNS}/${gone.id}`).expect(204);
    });

    it('pages, newest first, in the wrapper', async () => {
      const page = await list({ size: 3, page: 1 });
      expect(page).toMatchObject({
        page: 1,
        size: 3,
        totalElements: 4,
        totalPages: 2,
        first: false,
        last: true,
      });
      expect(page.content.map(({ name }: { name: string }) => name)).toEqual(['Über uns']);
      expect(page.content[0]).toEqual((await lister.api.get(`${CAMPAIGNS}/${page.content[0].id}`)).body);
      expect(await names()).toEqual(['봄 세일', 'Herbst_Aktion', '100% off', 'Über uns']);
    });

    it.each([
      ['find-me', ['Über uns']],
      ['ÜBER', ['Über uns']],
      ['U\u0308ber', ['Über uns']],
      ['%', ['100% off']],
      ['_', ['Herbst_Aktion']],
      ['세일', ['봄 세일']],
      ['gone', []],
      ['\\', []],
    ])('finds %s in name and alias', async (search, found) => {
      expect(await names({ search })).toEqual(found);
    });

    it('finds a campaign by its URL, in any form', async () => {
      const [host, path] = ['find.campaigns.example', 'find-app'];
      const customDomainId = await createDomain(app, lister, host, 'ACTIVE');
      const iosAppId = await createApp(app, lister, 'iOS', path);
      const made = await createCampaign(lister, {
        name: 'Pasted',
        alias: 'Paste_d',
        customDomainId,
        iosAppId,
      });
      for (const search of [
        made.link,
        `https://${host}/c/Paste_d`,
        `${host}/c/paste_d/poster?cid=42`,
        `${path}/c/Paste_d/`,
        'c/Paste_d',
        '/c/Paste_d?x=1',
      ]) {
        expect([search, await names({ search })]).toEqual([search, ['Pasted']]);
      }
      for (const search of ['go.waypost.test/c/Paste_d', `${host}/Paste_d`, 'other-app/c/Paste_d']) {
        expect([search, await names({ search })]).toEqual([search, []]);
      }
      await lister.api.delete(`${CAMPAIGNS}/${made.id}`).expect(204);
    });

    it('finds by the new name after a change', async () => {
      const { id } = await createCampaign(lister, { name: 'Old words' });
      await lister.api.put(`${CAMPAIGNS}/${id}`, { name: 'New WORDS' }).expect(200);
      expect(await names({ search: 'new words' })).toEqual(['New WORDS']);
      expect(await names({ search: 'old words' })).toEqual([]);
      await lister.api.delete(`${CAMPAIGNS}/${id}`).expect(204);
    });
  });

  describe('settings of the console', () => {
    const OFF = { deduplication: { enabled: false, windowMinutes: null }, adPage: { enabled: false } };
    const pathOf = (id: number, { organizationId }: TestOrganization = org) =>
      `/api/v1/console/organizations/${organizationId}/campaigns/${id}/settings`;

    it('are off by default, change partially, and are audited', async () => {
      const { id } = await createCampaign(org);
      expect((await consoleApi(app).get(pathOf(id)).expect(200)).body).toEqual(OFF);
      const deduplication = { enabled: true, windowMinutes: 1_440 };
      const { body } = await consoleApi(app).put(pathOf(id), { deduplication }).expect(200);
      expect(body).toEqual({ ...OFF, deduplication });
      const adPage = { enabled: true };
      expect((await consoleApi(app).put(pathOf(id), { adPage }).expect(200)).body).toEqual({
        deduplication,
        adPage,
      });
      expect((await get(id)).showAdPage).toBe(true);
      expect((await entries(id))[1]?.changes).toEqual({
        deduplicationWindowMinutes: { from: null, to: 1_440 },
      });
    });

    it('respect the limit of the plan, and belong to the organization', async () => {
      const { id } = await createCampaign(org);
      const { body } = await consoleApi(app)
        .put(pathOf(id), { deduplication: { enabled: true, windowMinutes: 1_441 } })
        .expect(400);
      expect(body.details).toMatchObject([{ field: 'deduplication.windowMinutes' }]);
      await consoleApi(app).get(pathOf(id, other)).expect(404);
      await consoleApi(app)
        .put(pathOf(id, other), { adPage: { enabled: true } })
        .expect(404);
    });
  });
});
