import { CAMPAIGNS, createCampaign, VALID_CAMPAIGN } from '../support/campaigns';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { createApp, createDomain, createLink } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

describe('campaigns', () => {
  const app = useTestApp();
  const org = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));
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
    it('returns the campaign, nulls included, with a random alias', async () => {
      const { body } = await org.api.post(CAMPAIGNS, VALID_CAMPAIGN).expect(201);
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

    it('accepts name, alias, destination and goal up to their limits', async () => {
      const full = {
        name: '이'.repeat(50),
        alias: 'Q'.repeat(50),
        originalUrl: `https://long.example.com/${'a'.repeat(975)}`,
        goalType: 'g'.repeat(50),
      };
      expect(await createCampaign(org, full)).toMatchObject(full);
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

    it('refuses the name that links have for the destination', async () => {
      const { id } = await createCampaign(org);
      const { body } = await org.api.put(`${CAMPAIGNS}/${id}`, { url: 'https://a.example.com/' }).expect(400);
      expect(body.details).toEqual([{ field: 'url', message: 'is called originalUrl here' }]);
    });
  });

  describe('list', () => {
    const list = async (query: Record<string, unknown> = {}) =>
      (await lister.api.get(CAMPAIGNS, query).expect(200)).body;
    const names = async (query: Record<string, unknown> = {}) =>
      (await list(query)).content.map(({ name }: { name: string }) => name);

    const lister = perSuite(() => createOrganization(app));
    beforeAll(async () => {
      for (const [i, name] of ['Über uns', '100% off', 'Herbst_Aktion', '봄 세일'].entries()) {
        app.clock.set(`2026-11-0${i + 1}T12:00:00Z`);
        await createCampaign(lister, { name, ...(i === 0 && { alias: 'Find-Me' }) });
      }
      app.clock.set('2026-11-20T08:32:00Z');
      const gone = await createCampaign(lister, { name: 'Gone' });
      await lister.api.delete(`${CAMPAIGNS}/${gone.id}`).expect(204);
    });

    it.each([
      ['find-me', ['Über uns']],
      ['ÜBER', ['Über uns']],
      ['U\u0308ber', ['Über uns']],
      ['%', ['100% off']],
      ['gone', []],
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
  });

  describe('can what links can:', () => {
    let org: TestOrganization;
    beforeEach(async () => {
      org = await createOrganization(app);
    });

    it('a limit of visits, exactly, apart from a link with the same id', async () => {
      const campaign = await createCampaign(org, { maxClicks: 5 });
      await createLink(org, { maxClicks: 5 });
      const visits = await Promise.all(Array.from({ length: 20 }, () => visit(app, `/c/${campaign.alias}`)));
      expect(visits.map(({ status }) => status).sort()).toEqual([
        ...Array.from({ length: 5 }, () => 302),
        ...Array.from({ length: 15 }, () => 410),
      ]);
      const { body } = await org.api.get(`${CAMPAIGNS}/${campaign.id}`).expect(200);
      expect(body).toMatchObject({ maxClicks: 5, usedClicks: 5 });
    });

    it('creation and change of many at once', async () => {
      const items = [
        { ...VALID_CAMPAIGN, alias: 'bulk-a' },
        { ...VALID_CAMPAIGN, alias: 'bulk-a' },
        { ...VALID_CAMPAIGN, name: '' },
        { ...VALID_CAMPAIGN, findIfExists: true, alias: 'bulk-a' },
        null,
      ];
      const { body } = await org.api.post(`${CAMPAIGNS}/bulk`, { items }).expect(200);
      expect(body).toMatchObject({ created: 1, found: 1, failed: 3 });
      const [made, taken, unnamed, found, none] = body.results;
      expect(made).toMatchObject({ status: 'created', campaign: { alias: 'bulk-a', name: 'Spring sale' } });
      expect(taken.error).toMatchObject({ code: 'ALIAS_TAKEN', details: [{ field: 'alias' }] });
      expect(unnamed.error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'name' }] });
      expect(found).toMatchObject({ status: 'found', campaign: { id: made.campaign.id } });
      expect(none.error.code).toBe('VALIDATION_FAILED');
      const ids = [made.campaign.id as number, 999_999_999];
      const changed = await org.api.post(`${CAMPAIGNS}/changes`, { ids, addTags: ['x'] }).expect(200);
      expect(changed.body).toMatchObject({ ok: 1, failed: 1 });
      const listed = await org.api.get(`${CAMPAIGNS}/ids`, { tag: 'x' }).expect(200);
      expect(listed.body).toEqual({ ids: [made.campaign.id], total: 1 });
      await org.api.post(`${CAMPAIGNS}/changes`, { ids, delete: true }).expect(200);
      await org.api.get(`${CAMPAIGNS}/${made.campaign.id}`).expect(404);
    });

    it('cannot exceed the limit of the plan together', async () => {
      org = await createOrganization(app, { limits: { campaigns: 3 } });
      const bulk = () => org.api.post(`${CAMPAIGNS}/bulk`, { items: [VALID_CAMPAIGN, VALID_CAMPAIGN] });
      await Promise.all([bulk(), bulk(), bulk()]);
      expect((await org.api.get(CAMPAIGNS).expect(200)).body.totalElements).toBe(3);
      const { body } = await bulk().expect(403);
      expect(body).toMatchObject({ code: 'LIMIT_REACHED' });
    });

    describe('in files', () => {
      const exported = async () =>
        (
          await org.api
            .get(`${CAMPAIGNS}/export`, { archived: 'all', sort: 'name,asc' })
            .buffer(true)
            .expect(200)
        ).text;
      const imported = (csv: string, query: Record<string, string> = {}) =>
        org.api
          .post(`${CAMPAIGNS}/import?${new URLSearchParams(query).toString()}`)
          .set('Content-Type', 'text/csv')
          .serialize((text: unknown) => text as string)
          .send(csv);

      it('are restored from their own export, generated codes included', async () => {
        await createCampaign(org, {
          name: '=1+1',
          alias: 'restored',
          tags: ['a,b'],
          maxClicks: 9,
          expiresAt: '2031-01-01T00:00:00Z',
          targeting: [{ countries: ['KR'], url: 'https://kr.example.com/' }],
        });
        await createCampaign(org, { name: 'Generated' });
        const file = await exported();
        const { body } = await org.api.get(`${CAMPAIGNS}/ids`).expect(200);
        await app.sql('DELETE FROM campaigns WHERE organization_id = $1', [org.organizationId]);
        await app.sql('DELETE FROM addresses WHERE kind = 2 AND organization_id = $1', [org.organizationId]);
        const result = await imported(file).expect(200);
        expect(result.body).toMatchObject({ total: body.total, created: 2, failed: 0, generated: 0 });
        const withoutIds = (text: string) => text.replaceAll(/^\d+/gm, '');
        expect(withoutIds(await exported())).toBe(withoutIds(file));
      });

      it('are named row by row where a row cannot be taken, before anything is written', async () => {
        const file =
          'name,url,keyword\nA,https://a.example.com,one\n,https://a.example.com,two\nB,nowhere,three\n';
        const dry = await imported(file, { dryRun: 'true' }).expect(200);
        expect(dry.body).toMatchObject({ dryRun: true, created: 1, failed: 2 });
        expect(dry.body.errors).toMatchObject([
          { line: 3, details: [{ field: 'name' }] },
          { line: 4, details: [{ field: 'originalUrl' }] },
        ]);
        expect((await org.api.get(CAMPAIGNS).expect(200)).body.totalElements).toBe(0);
        const { body } = await imported('name,keyword\nA,b\n').expect(400);
        expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'originalUrl' }] });
      });
    });
  });
});
