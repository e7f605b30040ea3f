import { CAMPAIGNS, createCampaign, VALID_CAMPAIGN } from '../support/campaigns';
import { consoleApi, createOrganization } from '../support/factories';
import { createDomain, createLink } from '../support/links';
import { cataloguedEvents, eventsOf, keepEvents } from '../support/outbox';
import { perTest, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const LATER = '2026-11-20T09:00:00Z';

describe('editing links in the console', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const org = perTest(() => createOrganization(app));
  const api = consoleApi(app);

  const aliasOf = (word: string) => `${word}-${org.organizationId}`;

  describe('availability of an alias', () => {
    const check = (query: object) => api.read<object>(`${org.consolePath}/urls/alias-availability`, query);
    const verdict = (alias: string, reason: string | null) => ({ alias, available: reason === null, reason });

    it('answers as a creation would, and reserves nothing', async () => {
      const alias = aliasOf('Spring');
      expect(await check({ alias })).toEqual(verdict(alias, null));
      await createLink(org, { customAlias: alias });
      expect(await check({ alias })).toEqual(verdict(alias, 'ALIAS_TAKEN'));
      const other = alias.toLowerCase();
      expect(await check({ alias: other })).toEqual(verdict(other, null));
      expect(await check({ alias: 'API' })).toEqual(verdict('API', 'RESERVED_ALIAS'));
      for (const reserved of ['api', 'console', 'U']) {
        const { body } = await org.api
          .post('/api/v1/service/urls', { url: 'https://shop.example.com/', customAlias: reserved })
          .expect(400);
        expect(await check({ alias: reserved })).toEqual(verdict(reserved, body.code));
      }
    });

    it('is that of the domain', async () => {
      const alias = aliasOf('spring');
      const customDomainId = await createDomain(app, org, `a${org.organizationId}.example`, 'ACTIVE');
      await createLink(org, { customAlias: alias, customDomainId });
      expect(await check({ alias })).toMatchObject({ available: true });
      expect(await check({ alias, customDomainId })).toEqual(verdict(alias, 'ALIAS_TAKEN'));
      const pending = await createDomain(app, org, `b${org.organizationId}.example`, 'PENDING');
      const foreign = await createDomain(app, await createOrganization(app), 'c.example', 'ACTIVE');
      for (const id of [pending, foreign, 999_999]) {
        const { body } = await api
          .get(`${org.consolePath}/urls/alias-availability`, { alias, customDomainId: id })
          .expect(400);
        expect(body).toMatchObject({ code: 'DOMAIN_NOT_USABLE', details: [{ field: 'customDomainId' }] });
      }
    });

    it('lets the organization alone have the alias of a deleted link, and former aliases of nobody', async () => {
      const [alias, former] = [aliasOf('gone'), aliasOf('former')];
      const { id } = await createLink(org, { customAlias: alias });
      await org.api.delete(`/api/v1/service/urls/${id}`).expect(204);
      const other = await createOrganization(app);
      const foreign = `${other.consolePath}/urls/alias-availability`;
      expect(await check({ alias })).toEqual(verdict(alias, null));
      expect((await api.get(foreign, { alias }).expect(200)).body).toEqual(verdict(alias, 'ALIAS_TAKEN'));
      const moved = await createLink(org, { customAlias: former });
      await org.api.put(`/api/v1/service/urls/${moved.id}`, { customAlias: aliasOf('new') }).expect(200);
      expect(await check({ alias: former })).toEqual(verdict(former, 'ALIAS_TAKEN'));
    });

    it('is that of a change for an existing link', async () => {
      const [first, second, other] = [aliasOf('first'), aliasOf('second'), aliasOf('other')];
      const { id: linkId } = await createLink(org, { customAlias: first });
      await createLink(org, { customAlias: other });
      await org.api.put(`/api/v1/service/urls/${linkId}`, { customAlias: second }).expect(200);
      for (const alias of [first, second]) {
        expect(await check({ alias })).toEqual(verdict(alias, 'ALIAS_TAKEN'));
        expect(await check({ alias, linkId })).toEqual(verdict(alias, null));
      }
      expect(await check({ alias: other, linkId })).toEqual(verdict(other, 'ALIAS_TAKEN'));
      expect(await check({ alias: 'api', linkId })).toEqual(verdict('api', 'RESERVED_ALIAS'));
      await org.api.put(`/api/v1/service/urls/${linkId}`, { customAlias: first }).expect(200);
      const { id: foreign } = await createLink(await createOrganization(app));
      await api
        .get(`${org.consolePath}/urls/alias-availability`, { alias: first, linkId: foreign })
        .expect(404);
      const customDomainId = await createDomain(app, org, `d${org.organizationId}.example`, 'ACTIVE');
      await createLink(org, { customAlias: first, customDomainId });
      expect(await check({ alias: first, linkId, customDomainId })).toEqual(verdict(first, null));
    });

    it('is told for campaigns apart from links', async () => {
      const [first, second] = [aliasOf('first'), aliasOf('second')];
      const ask = (query: object) =>
        api.read<object>(`${org.consolePath}/campaigns/alias-availability`, query);
      await createLink(org, { customAlias: first });
      expect(await ask({ alias: first })).toEqual(verdict(first, null));
      const campaign = await org.api.post(CAMPAIGNS, { ...VALID_CAMPAIGN, alias: first }).expect(201);
      const campaignId = campaign.body.id as number;
      expect(await ask({ alias: first })).toEqual(verdict(first, 'ALIAS_TAKEN'));
      expect(await ask({ alias: first, campaignId })).toEqual(verdict(first, null));
      await org.api.put(`${CAMPAIGNS}/${campaignId}`, { alias: second }).expect(200);
      expect(await ask({ alias: first })).toEqual(verdict(first, 'ALIAS_TAKEN'));
      expect(await ask({ alias: first, campaignId })).toEqual(verdict(first, null));
      expect(await ask({ alias: 'api' })).toEqual(verdict('api', 'RESERVED_ALIAS'));
    });
  });

  describe('tags', () => {
    const tags = async (query: object = {}) =>
      (await api.get(`${org.consolePath}/tags`, query).expect(200)).body.tags as object[];

    it('are counted ignoring case, without deleted links and those of other organizations', async () => {
      expect(await tags()).toEqual([]);
      await createLink(org, { tags: ['Spring', 'sale'] });
      await createLink(org, { tags: ['Spring'], archived: true });
      await createLink(org, { tags: ['spring', '100%'] });
      await createCampaign(org, { tags: ['SPRING'] });
      await createLink(org, { tags: Array.from({ length: 20 }, (_, i) => `many ${i}`) });
      const gone = await createLink(org, { tags: ['gone', 'sale'] });
      await org.api.delete(`/api/v1/service/urls/${gone.id}`).expect(204);
      await createLink(await createOrganization(app), { tags: ['sale', 'foreign'] });
      expect((await tags()).slice(0, 3)).toEqual([
        { tag: 'Spring', links: 3, campaigns: 1 },
        { tag: '100%', links: 1, campaigns: 0 },
        { tag: 'many 0', links: 1, campaigns: 0 },
      ]);
      expect(await tags({ limit: 1 })).toEqual([{ tag: 'Spring', links: 3, campaigns: 1 }]);
      expect(await tags({ q: ' S' })).toEqual([
        { tag: 'Spring', links: 3, campaigns: 1 },
        { tag: 'sale', links: 1, campaigns: 0 },
      ]);
      expect(await tags({ q: 'SPRING' })).toEqual([{ tag: 'Spring', links: 3, campaigns: 1 }]);
      expect(await tags({ q: 'pring' })).toEqual([]);
      expect(await tags({ q: '%' })).toEqual([]);
      expect(await tags({ q: '100%' })).toEqual([{ tag: '100%', links: 1, campaigns: 0 }]);
      expect(await tags({ q: 'many', limit: 1000 })).toHaveLength(20);
    });
  });

  describe('changes of many links', () => {
    const change = async (body: object) =>
      (await api.post(`${org.consolePath}/urls/changes`, body).expect(200)).body as {
        ok: number;
        failed: number;
        results: { id: number; status: string; error: { code: string; details: object[] } | null }[];
      };
    const shown = (id: number) => org.api.read<Record<string, unknown>>(`/api/v1/service/urls/${id}`);

    it('have the audit entries, events and effects of single ones', async () => {
      const [one, two] = [await createLink(org, { tags: ['Old'] }), await createLink(org)];
      for (const { shortUrl } of [one, two]) await visit(app, new URL(shortUrl).pathname).expect(302);
      await keepEvents(app, org);
      app.clock.set(LATER);
      const body = {
        ids: [two.id, one.id],
        enabled: false,
        archived: true,
        addTags: ['New'],
        removeTags: ['OLD'],
      };
      expect(await change(body)).toEqual({
        ok: 2,
        failed: 0,
        results: [two, one].map(({ id }) => ({ id, status: 'ok', error: null })),
      });
      const after = await Promise.all([one, two].map(({ id }) => shown(id)));
      const uncounted = (data: object) => ({ ...data, clickCount: null });
      for (const link of after)
        expect(link).toMatchObject({ enabled: false, archived: true, tags: ['New'], updatedAt: LATER });
      for (const { shortUrl } of [one, two]) await visit(app, new URL(shortUrl).pathname).expect(404);
      const events = await cataloguedEvents(app, org.organizationId);
      // Clicks are counted meanwhile.
      expect(events.map(({ name, data }) => ({ name, data: uncounted(data as object) }))).toEqual(
        after.map((data) => ({ name: 'link.updated', data: uncounted(data) })),
      );
      const entries = await app.sql(
        `SELECT action, resource_id::int AS id, changes FROM audit_log
          WHERE organization_id = $1 AND action = 'link.update' ORDER BY id`,
        [org.organizationId],
      );
      const off = { enabled: { from: true, to: false }, archived: { from: false, to: true } };
      expect(entries).toEqual([
        { action: 'link.update', id: one.id, changes: { ...off, tags: { from: ['Old'], to: ['New'] } } },
        { action: 'link.update', id: two.id, changes: { ...off, tags: { from: [], to: ['New'] } } },
      ]);
    });

    it('that change nothing have no effect', async () => {
      const { id } = await createLink(org, { tags: ['a'] });
      const before = await shown(id);
      await keepEvents(app, org);
      app.clock.set(LATER);
      expect(await change({ ids: [id, id], enabled: true, addTags: ['A'], removeTags: ['b'] })).toMatchObject(
        {
          ok: 1,
          results: [{ id, status: 'ok' }],
        },
      );
      expect(await shown(id)).toEqual(before);
      expect(await cataloguedEvents(app, org.organizationId)).toEqual([]);
    });

    it('delete links, and answer for each that cannot be changed', async () => {
      const link = await createLink(org);
      const foreign = await createLink(await createOrganization(app));
      const missing = {
        status: 'failed',
        error: { code: 'NOT_FOUND', message: 'Link not found', details: [] },
      };
      await visit(app, new URL(link.shortUrl).pathname).expect(302);
      await keepEvents(app, org);
      expect(await change({ ids: [link.id, foreign.id, 999_999], delete: true })).toEqual({
        ok: 1,
        failed: 2,
        results: [
          { id: link.id, status: 'ok', error: null },
          { id: foreign.id, ...missing },
          { id: 999_999, ...missing },
        ],
      });
      await visit(app, new URL(link.shortUrl).pathname).expect(404);
      await visit(app, new URL(foreign.shortUrl).pathname).expect(302);
      const events = await cataloguedEvents(app, org.organizationId);
      expect(events.map(({ name }) => name)).toEqual(['link.deleted']);
      expect(await change({ ids: [link.id], enabled: true })).toMatchObject({
        results: [{ id: link.id, ...missing }],
      });
    });

    it('refuse a link that would have more than 20 tags, and change the others', async () => {
      const full = await createLink(org, { tags: Array.from({ length: 20 }, (_, i) => `t${i}`) });
      const other = await createLink(org);
      const { results } = await change({ ids: [full.id, other.id], addTags: ['x'], archived: true });
      expect(results).toMatchObject([
        { status: 'failed', error: { code: 'VALIDATION_FAILED', details: [{ field: 'addTags' }] } },
        { status: 'ok' },
      ]);
      expect(await shown(full.id)).toMatchObject({ archived: false });
      expect(await shown(other.id)).toMatchObject({ archived: true, tags: ['x'] });
      expect(await change({ ids: [full.id], addTags: ['x'], removeTags: ['T3'] })).toMatchObject({ ok: 1 });
    });

    it('change a thousand links in one call', async () => {
      const items = Array.from({ length: 1000 }, () => ({ url: 'https://shop.example.com/' }));
      const { body } = await org.api.post('/api/v1/service/urls/bulk', { items }).expect(200);
      const ids = (body as { results: { url: { id: number } }[] }).results.map(({ url }) => url.id);
      await keepEvents(app, org);
      expect(await change({ ids, addTags: ['all'] })).toMatchObject({ ok: 1000, failed: 0 });
      expect((await api.get(`${org.consolePath}/tags`).expect(200)).body.tags).toEqual([
        { tag: 'all', links: 1000, campaigns: 0 },
      ]);
      expect(await eventsOf(app, org.organizationId)).toHaveLength(1000);
    });

    it.each([
      [{ ids: [1] }, 'ids'],
      [{ ids: [1], enabled: null, delete: false }, 'ids'],
      [{ ids: [1], delete: true, archived: true }, 'delete'],
      [{ ids: [1], addTags: [' '] }, 'addTags'],
    ])('are 400 for wrong input (%#)', async (body, field) => {
      const { body: error } = await api.post(`${org.consolePath}/urls/changes`, body).expect(400);
      expect(error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    });
  });
});
