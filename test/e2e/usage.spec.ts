import { ConcurrentUses } from '../../src/access/limits/concurrent-uses';
import { ClickLimitNotices } from '../../src/modules/usage/click-limit-notices';
import { clickSums } from '../support/click-sums';
import { CONTACTS, createBook, saveContact } from '../support/contacts';
import { consoleApi, createOrganization, signIn, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { cataloguedEvents, keepEvents } from '../support/outbox';
import { useTestApp } from '../support/test-app';
import { GOOGLEBOT } from '../support/visits';

const ORGANIZATIONS = '/api/v1/console/organizations';
const NOW = '2026-11-20T08:32:00Z';

const NO_LIMITS = {
  links: null,
  monthlyClicks: null,
  contacts: null,
  concurrentImports: null,
  importRows: null,
  webhookEndpoints: null,
  apps: null,
  customDomains: null,
  campaigns: null,
  contactGroups: null,
  apiKeys: null,
  users: null,
  invitations: null,
  allowListEntries: null,
  liveListeners: null,
  clickRetentionDays: null,
  eventRetentionDays: null,
  rollupRetentionMonths: null,
  auditRetentionMonths: null,
};

describe('usage and limits', () => {
  const app = useTestApp({ at: NOW });
  const { count } = clickSums(app);
  const platform = consoleApi(app);

  const pathOf = ({ organizationId }: TestOrganization) => `${ORGANIZATIONS}/${organizationId}`;
  const usageOf = async (own: TestOrganization) =>
    (await platform.get(`${pathOf(own)}/usage`).expect(200)).body;
  const clicksAt = (time: string, clicks: number, fields: object = {}) =>
    Array.from({ length: clicks }, () => ({ at: Date.parse(time), ...fields }));

  it('are shown to members, with the limits of the plan', async () => {
    const own = await createOrganization(app);
    const link = await createLink(own);
    await createLink(own);
    await createLink(own);
    await own.api.delete(`/api/v1/service/urls/${link.id}`).expect(204);
    await app.sql(`UPDATE users SET role = 'VIEWER' WHERE id = $1`, [own.userId]);
    const { body } = await (await signIn(app, own)).get(`${pathOf(own)}/usage`).expect(200);
    expect(body).toEqual({
      plan: 'PRO',
      links: { limit: 1_000_000, usage: 2 },
      monthlyClicks: { limit: 10_000_000, usage: 0, month: '2026-11', exceeded: false },
      contacts: { limit: 1_000_000, usage: 0 },
      concurrentImports: { limit: 5, usage: 0 },
      importRows: { limit: 1_000_000 },
      webhookEndpoints: { limit: 50, usage: 0 },
      apps: { limit: 200, usage: 0 },
      customDomains: { limit: 1_000, usage: 0 },
      campaigns: { limit: 10_000, usage: 0 },
      contactGroups: { limit: 500, usage: 0 },
      apiKeys: { limit: 100, usage: 1 },
      users: { limit: 500, usage: 1 },
      invitations: { limit: 200, usage: 0 },
      allowListEntries: { limit: 200, usage: 0 },
      liveListeners: { limit: 100, usage: 0 },
      retention: {
        clickRetentionDays: 400,
        eventRetentionDays: 400,
        rollupRetentionMonths: 37,
        auditRetentionMonths: 25,
      },
    });
    const stranger = await signIn(app, await createOrganization(app));
    await stranger.get(`${pathOf(own)}/usage`).expect(404);
  });

  it('follow what is created and deleted', async () => {
    const own = await createBook(app);
    const link = await createLink(own);
    const contact = await saveContact(own, { externalUserId: 'member-1' });
    const webhook = await platform
      .post(`${pathOf(own)}/webhooks`, { url: 'https://hooks.example.com/x', events: ['usage.*'] })
      .expect(201);
    const used = (usage: number) => ({ links: { usage }, contacts: { usage }, webhookEndpoints: { usage } });
    expect(await usageOf(own)).toMatchObject(used(1));
    await own.api.delete(`/api/v1/service/urls/${link.id}`).expect(204);
    await own.api.delete(`${CONTACTS}/${contact.id}`).expect(204);
    await platform.delete(`${pathOf(own)}/webhooks/${webhook.body.id}`).expect(204);
    expect(await usageOf(own)).toMatchObject(used(0));
  });

  it('follow the imports and streams that are open', async () => {
    const own = await createOrganization(app);
    const uses = app.get(ConcurrentUses);
    const open = await uses.during('imports', own.organizationId, 5, () =>
      uses.during('listeners', own.organizationId, 5, () => usageOf(own)),
    );
    expect(open).toMatchObject({ concurrentImports: { usage: 1 }, liveListeners: { usage: 1 } });
    expect(await usageOf(own)).toMatchObject({
      concurrentImports: { usage: 0 },
      liveListeners: { usage: 0 },
    });
  });

  it('of clicks are those of people in the month of the time zone', async () => {
    const own = await createOrganization(app, { timeZone: 'Asia/Seoul' });
    await count(own, [
      // 1 November has begun in Seoul.
      ...clicksAt('2026-10-31T15:00:00Z', 3),
      ...clicksAt('2026-10-31T14:59:59Z', 5),
      ...clicksAt('2026-11-20T08:00:00Z', 2),
      ...clicksAt('2026-11-20T08:00:00Z', 4, { userAgent: GOOGLEBOT }),
    ]);
    expect((await usageOf(own)).monthlyClicks).toMatchObject({ month: '2026-11', usage: 5 });
    app.clock.set('2026-11-30T15:00:00Z');
    expect((await usageOf(own)).monthlyClicks).toMatchObject({ month: '2026-12', usage: 0 });
  });

  describe('set by the platform', () => {
    it('replace those of the plan until they are cleared', async () => {
      const own = await createOrganization(app, { limits: { links: 5 } });
      expect((await platform.get(pathOf(own)).expect(200)).body.limits).toEqual({ ...NO_LIMITS, links: 5 });
      const changed = await platform
        .patch(pathOf(own), { limits: { contacts: 7, clickRetentionDays: 30 } })
        .expect(200);
      const limits = { ...NO_LIMITS, links: 5, contacts: 7, clickRetentionDays: 30 };
      expect(changed.body.limits).toEqual(limits);
      const list = await platform.get(`${ORGANIZATIONS}?size=1`).expect(200);
      expect(list.body.content[0].limits).toEqual(limits);
      expect(await usageOf(own)).toMatchObject({
        links: { limit: 5 },
        contacts: { limit: 7 },
        retention: { clickRetentionDays: 30, eventRetentionDays: 400 },
      });
      await platform.patch(pathOf(own), { plan: 'FREE' }).expect(200);
      expect(await usageOf(own)).toMatchObject({
        plan: 'FREE',
        links: { limit: 5 },
        webhookEndpoints: { limit: 10 },
        retention: { clickRetentionDays: 30, eventRetentionDays: 90 },
      });
      await platform.patch(pathOf(own), { limits: { links: null } }).expect(200);
      await platform.patch(pathOf(own), { limits: null, name: 'Renamed' }).expect(200);
      expect(await usageOf(own)).toMatchObject({ links: { limit: 10_000 }, contacts: { limit: 7 } });
      const log = await platform
        .get(`${pathOf(own)}/audit-log?action=organization.update&size=100`)
        .expect(200);
      const entries = log.body.content as { changes: object }[];
      expect(entries.map(({ changes }) => changes)).toEqual([
        { name: { from: expect.any(String), to: 'Renamed' } },
        { 'limits.links': { from: 5, to: null } },
        { plan: { from: 'PRO', to: 'FREE' } },
        {
          'limits.contacts': { from: null, to: 7 },
          'limits.clickRetentionDays': { from: null, to: 30 },
        },
      ]);
    });

    it.each([
      ['limits.links', -1],
      ['limits.importRows', 1_000_001],
      ['limits.clickRetentionDays', 0],
      ['limits.auditRetentionMonths', 2 ** 63],
    ])('%s can not be %j', async (field, value) => {
      const own = await createOrganization(app);
      const limits = { [field.replace('limits.', '')]: value };
      const { body } = await platform.patch(pathOf(own), { limits }).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    });

    it('bound what statistics show', async () => {
      const own = await createOrganization(app, {
        limits: { clickRetentionDays: 30, eventRetentionDays: 60 },
      });
      const { id } = await createLink(own);
      const query = { startDate: '2026-01-01', endDate: '2026-11-20' };
      const clicks = await own.api.get(`/api/v1/service/urls/${id}/stats`, query).expect(200);
      expect(clicks.body.meta).toMatchObject({ dataRetentionDays: 30, actualStartDate: '2026-10-22' });
      const installs = await own.api.get(`/api/v1/service/urls/${id}/app-install-stats`, query).expect(200);
      expect(installs.body.period).toBe('2026-09-22/2026-11-20');
    });
  });

  describe('a month with more clicks than the limit', () => {
    const notify = async () => expect(await app.get(ClickLimitNotices).notify()).toBe(true);
    const notices = async ({ organizationId }: TestOrganization) =>
      (await cataloguedEvents(app, organizationId)).map(({ name, data }) => ({ name, data }));

    it('shows, and sends one webhook; clicks go on being counted', async () => {
      const own = await createOrganization(app, { limits: { monthlyClicks: 3 } });
      await keepEvents(app, own);
      await count(own, clicksAt('2026-11-20T08:00:00Z', 3));
      await notify();
      expect(await notices(own)).toEqual([]);
      expect((await usageOf(own)).monthlyClicks.exceeded).toBe(false);

      await count(own, clicksAt('2026-11-20T08:00:00Z', 2));
      for (const time of ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z']) {
        app.clock.set(time);
        await notify();
      }
      const exceeded = (month: string, usage: number) => ({
        name: 'usage.click_limit_exceeded',
        data: { month, limit: 3, usage },
      });
      expect(await notices(own)).toEqual([exceeded('2026-11', 5)]);
      expect((await usageOf(own)).monthlyClicks).toEqual({
        limit: 3,
        usage: 5,
        month: '2026-11',
        exceeded: true,
      });

      app.clock.set('2026-12-02T10:00:00Z');
      await notify();
      expect(await notices(own)).toHaveLength(1);
      await count(own, clicksAt('2026-12-02T08:00:00Z', 4));
      app.clock.set('2026-12-02T11:00:00Z');
      await notify();
      expect(await notices(own)).toEqual([exceeded('2026-11', 5), exceeded('2026-12', 4)]);
    });
  });
});
