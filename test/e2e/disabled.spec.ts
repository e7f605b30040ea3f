import { appApi, consoleApi, createOrganization, serviceApi } from '../support/factories';
import { createCampaign } from '../support/campaigns';
import { eventually, heard } from '../support/eventually';
import { codeOf, createDomain, createLink } from '../support/links';
import { API_HOST, perSuite, perTest, TestApp, useTestApp } from '../support/test-app';
import { GOOGLEBOT, IPHONE, visit, type VisitOptions } from '../support/visits';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

const APPS = '/api/v1/service/mobile-apps';
const APPLE = '/.well-known/apple-app-site-association';
const GOOGLE = '/.well-known/assetlinks.json';

describe('disabled and deleted resources', () => {
  const app = useTestApp();
  const second = useTestApp(() => ({ database: app.database }));

  const platform = () => consoleApi(app);
  const pathOf = (link: { shortUrl: string }) => `/${codeOf(link)}`;

  /** Statuses from both processes, which cache. */
  async function answers(path: string, options: VisitOptions = {}): Promise<number[]> {
    const found = await Promise.all([app, second].map((process) => visit(process, path, options)));
    return found.map(({ status }) => status);
  }

  async function settles(statuses: () => Promise<number[]>, expected: number): Promise<void> {
    await heard(async () => expect(await statuses()).toEqual([expected, expected]));
  }

  const ownPages = (id: number) =>
    app.alter(
      `UPDATE custom_domains SET root_url = 'https://phish.example/', not_found_url = 'https://phish.example/',
              expired_url = 'https://phish.example/' WHERE id = $1`,
      [id],
    );
  const tlsCheck = (host: string) => answers(`/internal/tls-check?domain=${host}`, { host: API_HOST });

  describe('of a deleted organization', () => {
    const org = perTest(() => createOrganization(app));
    const remove = () => platform().delete(org.consolePath).expect(204);

    it('links and campaigns answer 410, on every process and host, to everybody', async () => {
      const host = `links-${org.organizationId}.example`;
      const customDomainId = await createDomain(app, org, host, 'ACTIVE');
      const paths: [string, VisitOptions][] = [
        [pathOf(await createLink(org)), {}],
        [pathOf(await createLink(org, { customAlias: `gone-${org.organizationId}` })), {}],
        [pathOf(await createLink(org, { customDomainId })), { host }],
        [`/c/${(await createCampaign(org, { alias: `camp-${org.organizationId}` })).alias}`, {}],
      ];
      const other = pathOf(await createLink(await createOrganization(app)));
      for (const [path, options] of paths) expect(await answers(path, options)).toEqual([302, 302]);
      const unseen = pathOf(await createLink(org, { password: 'a password' }));
      await remove();
      for (const [path, options] of paths) {
        await settles(() => answers(path, options), 410);
        expect(await answers(path, { ...options, userAgent: GOOGLEBOT })).toEqual([410, 410]);
        expect(await answers(path, { ...options, userAgent: IPHONE })).toEqual([410, 410]);
        expect(await answers(path, { ...options, method: 'head' })).toEqual([410, 410]);
      }
      expect(await answers(unseen)).toEqual([410, 410]);
      expect(await answers(unseen, { method: 'post' })).toEqual([410, 410]);
      expect(await answers(other)).toEqual([302, 302]);
      const page = await visit(app, paths[0]?.[0] ?? '');
      expect(page.text).toContain('Link disabled');
    });

    it('custom domains answer 410 too, whatever pages they have', async () => {
      const host = `pages-${org.organizationId}.example`;
      await ownPages(await createDomain(app, org, host, 'ACTIVE'));
      expect(await answers('/', { host })).toEqual([302, 302]);
      expect(await answers('/nothing', { host })).toEqual([302, 302]);
      await remove();
      for (const path of ['/', '/nothing', APPLE]) await settles(() => answers(path, { host }), 410);
    });

    it('a process started later answers 410 as well', async () => {
      const path = pathOf(await createLink(org));
      expect(await answers(path)).toEqual([302, 302]);
      await remove();
      const third = await TestApp.start({ database: app.database });
      expect((await visit(third, path)).status).toBe(410);
      await third.close();
    });

    it('custom domains get no more certificates', async () => {
      const host = `tls-${org.organizationId}.example`;
      await createDomain(app, org, host, 'ACTIVE');
      expect(await tlsCheck(host)).toEqual([200, 200]);
      await remove();
      await settles(() => tlsCheck(host), 404);
    });

    it('apps leave the association files of every domain', async () => {
      const host = `apps-${org.organizationId}.example`;
      await createDomain(app, org, host, 'ACTIVE');
      const bundleId = `com.example.gone${org.organizationId}`;
      const ios = { appName: 'Shop', platform: 'iOS', bundleId, teamId: 'A1B2C3D4E5' };
      const sha256CertFingerprints = [Array.from({ length: 32 }, () => 'AB').join(':')];
      const android = { appName: 'Shop', platform: 'Android', bundleId, sha256CertFingerprints };
      for (const body of [ios, android]) await org.api.post(APPS, body).expect(201);
      await app.sql('UPDATE apps SET on_short_domain = true WHERE organization_id = $1', [
        org.organizationId,
      ]);
      const naming = async () => {
        const files = [app, second].flatMap((process) =>
          [APPLE, GOOGLE].flatMap((path) => [visit(process, path), visit(process, path, { host })]),
        );
        return (await Promise.all(files)).filter(({ text }) => text.includes(bundleId)).length;
      };
      await eventually(async () => expect(await naming()).toBe(8));
      await remove();
      await heard(async () => expect(await naming()).toBe(0));
    });

    it('webhooks end, and due deliveries are dropped', async () => {
      const receiver = await WebhookReceiver.start();
      const webhooks = new Webhooks(app, org);
      await webhooks.create(receiver.url);
      await webhooks.raise();
      await eventually(async () => expect(receiver.received).toHaveLength(1));
      await remove();
      await webhooks.raise();
      await webhooks.sweep();
      const live = 'SELECT id FROM webhook_endpoints WHERE organization_id = $1 AND deleted_at IS NULL';
      await eventually(async () => expect(await app.sql(live, [org.organizationId])).toEqual([]));
      expect(receiver.received).toHaveLength(1);
      await receiver.close();
    });

    it('API keys, app keys and console sessions stop on every process', async () => {
      const { body: registered } = await org.api
        .post(APPS, { appName: 'Shop', platform: 'Web', bundleId: 'com.example.web' })
        .expect(201);
      const { username, password } = org;
      const login = await platform().post('/api/v1/console/login', { username, password }).expect(200);
      const { token } = login.body as { token: string };
      const asked = (process: TestApp) => [
        serviceApi(process, org.apiKey).get('/api/v1/service/urls'),
        appApi(process, registered as { id: number; apiKey: string }).get(
          '/api/v1/cross-platform/stats/summary',
        ),
        consoleApi(process, token).get(org.consolePath),
      ];
      const statuses = async () =>
        (await Promise.all([...asked(app), ...asked(second)])).map(({ status }) => status);
      expect(await statuses()).not.toContain(401);
      await remove();
      await heard(async () => expect(new Set(await statuses())).toEqual(new Set([401])));
    });
  });

  describe('by the platform', () => {
    const org = perSuite(() => createOrganization(app));
    const lastEntry = async () =>
      (await platform().read<{ content: Record<string, unknown>[] }>(`${org.consolePath}/audit-log?size=1`))
        .content[0];
    const reason = 'Phishing, reported on 2026-11-20';

    it.each(['links', 'campaigns'])('one of its %s answers 410 until it is enabled again', async (kind) => {
      const link = kind === 'links';
      const alias = `abuse-${kind}`;
      const made = link
        ? await createLink(org, { customAlias: alias })
        : await createCampaign(org, { alias });
      const path = link ? `/${alias}` : `/c/${alias}`;
      const own = `/api/v1/service/${link ? 'urls' : 'campaigns'}`;
      const disabled = `${org.consolePath}/${kind}/${made.id}/disabled`;
      expect(await answers(path)).toEqual([302, 302]);

      const { body } = await platform().put(disabled, { reason }).expect(200);
      expect(body).toEqual({ id: made.id, disabledReason: reason });
      await settles(() => answers(path), 410);
      expect(await lastEntry()).toMatchObject({
        action: `${link ? 'link' : 'campaign'}.disable`,
        resourceId: String(made.id),
        actor: { type: 'PLATFORM' },
        changes: { disabledReason: { from: null, to: reason } },
      });
      const shown = await org.api.get(`${own}/${made.id}`).expect(200);
      expect(shown.body.disabledReason).toBe(reason);
      await org.api.put(`${own}/${made.id}`, { title: 'Changed' }).expect(200);
      expect(await answers(path)).toEqual([410, 410]);

      await platform().delete(disabled).expect(204);
      await settles(() => answers(path), 302);
      expect(await lastEntry()).toMatchObject({ action: `${link ? 'link' : 'campaign'}.enable` });
      await platform().delete(disabled).expect(204);

      await platform().put(disabled, { reason }).expect(200);
      await org.api.delete(`${own}/${made.id}`).expect(204);
      const again = link
        ? { url: 'https://shop.example.com/again', customAlias: alias }
        : { name: 'Again', originalUrl: 'https://shop.example.com/again', alias };
      const refused = await org.api.post(own, again).expect(409);
      expect(refused.body.code).toBe('ALIAS_TAKEN');
      const bulk = link ? await org.api.post(`${own}/bulk`, { items: [again] }) : null;
      if (bulk) expect(JSON.stringify(bulk.body)).toContain('ALIAS_TAKEN');
    });

    it('a custom domain answers 410 for everything, until it is enabled again', async () => {
      const host = 'abuse.brand.example';
      const id = await createDomain(app, org, host, 'ACTIVE');
      await ownPages(id);
      const path = pathOf(await createLink(org, { customDomainId: id }));
      const disabled = `${org.consolePath}/custom-domains/${id}/disabled`;
      expect(await answers(path, { host })).toEqual([302, 302]);
      expect(await tlsCheck(host)).toEqual([200, 200]);

      await platform().put(disabled, { reason }).expect(200);
      await settles(() => answers(path, { host }), 410);
      await settles(() => tlsCheck(host), 404);
      for (const other of ['/', '/unknown', APPLE])
        expect(await answers(other, { host })).toEqual([410, 410]);
      expect(await lastEntry()).toMatchObject({
        action: 'custom_domain.disable',
        resourceId: String(id),
        changes: { disabledReason: { from: null, to: reason } },
      });
      const shown = await org.api.get(`/api/v1/service/custom-domains/${id}`).expect(200);
      expect(shown.body).toMatchObject({ status: 'ACTIVE', disabledReason: reason });
      const refused = await org.api.post('/api/v1/service/urls', {
        url: 'https://shop.example.com/',
        customDomainId: id,
      });
      expect(refused.status).toBeGreaterThanOrEqual(400);

      await platform().delete(disabled).expect(204);
      await settles(() => answers(path, { host }), 302);
      await settles(() => tlsCheck(host), 200);
    });

    it('a disabled custom domain stays disabled when it is deleted and added again', async () => {
      const name = 'again.go.waypost.test';
      const add = () =>
        platform().post(`${org.consolePath}/custom-domains`, { domainName: name }).expect(201);
      const { body: first } = await add();
      await platform().put(`${org.consolePath}/custom-domains/${first.id}/disabled`, { reason }).expect(200);
      await platform().delete(`${org.consolePath}/custom-domains/${first.id}`).expect(204);
      const { body: second } = await add();
      expect(second).toMatchObject({ status: 'ACTIVE', disabledReason: reason });
      expect(await tlsCheck(name)).toEqual([404, 404]);
      await platform().delete(`${org.consolePath}/custom-domains/${second.id}/disabled`).expect(204);
      await platform().delete(`${org.consolePath}/custom-domains/${second.id}`).expect(204);
      const { body: third } = await add();
      expect(third.disabledReason).toBeNull();
    });
  });
});
