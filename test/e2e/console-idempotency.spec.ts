import { type ApiClient, consoleApi, createOrganization, userOf } from '../support/factories';
import { createDomain } from '../support/links';
import { OpenApi } from '../support/openapi';
import { perSuite, useTestApp } from '../support/test-app';

const PASSWORD = 'correct horse battery staple';
const URL = 'https://shop.example.com/';

describe('Idempotency-Key in the console', () => {
  const app = useTestApp();
  const org = perSuite(() => createOrganization(app));
  const api = consoleApi(app);

  const called = new Set<string>();

  /**
   * Sends a request twice with one key.
   * @param path below the organization, as the document has it
   * @returns the response, which both have
   */
  async function twice(
    path: string,
    { body = {}, id = '', key = path }: { body?: object | string; id?: number | string; key?: string } = {},
  ): Promise<{ id: number; deliveryId: string }> {
    called.add(path);
    const send = () =>
      api
        .post(`${org.consolePath}/${path.replace(/\{\w+\}/, String(id))}`)
        .set('Idempotency-Key', key)
        .set('Content-Type', typeof body === 'string' ? 'text/csv' : 'application/json')
        .send(body);
    const first = await send();
    const again = await send();
    expect([path, first.ok, first.text]).toEqual([path, true, again.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    return first.body as { id: number; deliveryId: string };
  }

  it('replays every creation and action', async () => {
    const { userId } = org;
    const since = app.clock.date().toISOString();
    const webhook = { url: 'https://shop.example.com/hook', events: ['link.*'] };
    const { id: webhookId } = await twice('webhooks', { body: webhook });
    await twice('webhooks/{id}/rotate-secret', { id: webhookId });
    const { deliveryId } = await twice('webhooks/{id}/test', { id: webhookId });
    await twice('deliveries/{deliveryId}/redeliver', { id: deliveryId });
    await twice('webhooks/{id}/replay', { id: webhookId, body: { since } });
    const listener = await twice('webhooks', {
      body: { delivery: 'PULL', events: ['link.*'] },
      key: 'listener',
    });
    await twice('webhooks/{id}/test', { id: listener.id, key: 'test of the listener' });
    const { body: pulled } = await api
      .get(`${org.consolePath}/webhooks/${listener.id}/pending?wait=20`)
      .expect(200);
    const [{ deliveryId: pulledId, lease }] = pulled.deliveries as [{ deliveryId: string; lease: string }];
    const result = { lease, statusCode: 200, durationMs: 84 };
    await twice('deliveries/{deliveryId}/result', { id: pulledId, body: result });
    const domain = await twice('custom-domains', { body: { domainName: 'go.shop.example.com' } });
    await twice('custom-domains/{id}/verify', domain);
    await twice('custom-domains/{id}/request-deletion', domain);
    const active = await createDomain(app, org, 'links.shop.example.com', 'ACTIVE');
    await twice('custom-domains/{id}/revoke', { id: active });
    const key = await twice('api-keys', { body: { name: 'Shop', userId } });
    await twice('api-keys/{id}/regenerate', { id: key.id });
    await twice('invitations', { body: { role: 'EDITOR' } });
    await twice('users', { body: { username: 'kim.minji', password: PASSWORD } });
    await twice('ip-allow-list', { body: { cidr: '203.0.113.0/24' } });
    const link = await twice('urls', { body: { url: URL } });
    await twice('urls/changes', { body: { ids: [link.id], addTags: ['spring'] } });
    await twice('urls/bulk', { body: { items: [{ url: URL }] } });
    await twice('urls/import', { body: `url\r\n${URL}\r\n` });
    const spring = { name: 'Spring', originalUrl: URL };
    const campaign = await twice('campaigns', { body: spring });
    await twice('campaigns/changes', { body: { ids: [campaign.id], addTags: ['spring'] } });
    await twice('campaigns/bulk', { body: { items: [spring] } });
    await twice('campaigns/import', { body: `name,url\r\nSpring,${URL}\r\n` });
    const shop = { appName: 'Shop', platform: 'iOS', bundleId: 'com.example.shop' };
    const { id: appId } = await twice('mobile-apps', { body: shop });
    await twice('mobile-apps/{id}/regenerate-key', { id: appId });
    await twice('mobile-apps/{id}/regenerate-publishable-key', { id: appId });
    const { id } = await twice('messaging/contacts', { body: { externalUserId: 'u1', name: 'Kim' } });
    await twice('messaging/contacts/bulk', { body: [{ externalUserId: 'u2' }] });
    await twice('messaging/contacts/import', { body: 'externalUserId,name\r\nu3,Lee\r\n' });
    await twice('messaging/contacts/{id}/block', { id });
    await twice('messaging/contacts/{id}/unblock', { id });
    const group = await twice('messaging/groups', { body: { name: 'Buyers' } });
    await twice('messaging/groups/{id}/members', { id: group.id, body: { contactIds: [id] } });
    const optedOut = { channel: 'EMAIL', value: 'kim@shop.example.com' };
    await twice('messaging/unsubscribes', { body: optedOut });
    await twice('messaging/unsubscribes/bulk', {
      body: { channel: 'EMAIL', items: [{ value: optedOut.value }] },
    });
    await twice('messaging/unsubscribes/import', {
      body: { channel: 'EMAIL', items: [{ value: optedOut.value }] },
    });
    await twice('messaging/opt-out-links', { body: optedOut });
    const condition = { propKey: 'name', propOp: 'EQ', propValue: 'Kim' };
    const kims = { name: 'Kims', conditionGroups: [{ conditions: [condition] }] };
    const segment = await twice('segments', { body: kims });
    await twice('segments/count', { body: { conditionGroups: kims.conditionGroups } });
    await twice('segments/{id}/evaluate', { id: segment.id });
    await twice('credits/transactions', { body: { type: 'CHARGE', amount: 50_000 } });
    const send = { channelType: 'SMS', status: 'SUCCESS', rate: 9.9, sentAt: since, messageId: 'msg-1' };
    await twice('message-sends', { body: { items: [send] } });

    const { paths } = (await OpenApi.of(app)).document;
    const prefix = '/api/v1/console/organizations/{organizationId}/';
    const posts = Object.entries(paths).filter(([path, item]) => path.startsWith(prefix) && item.post);
    expect([...called].toSorted()).toEqual(posts.map(([path]) => path.slice(prefix.length)).toSorted());
  });

  it('shows a stored answer to the user whose request it was alone', async () => {
    const rich = await userOf(app, org, 'ADMIN', ['revenue.view']);
    const poor = await userOf(app, org, 'ADMIN', []);
    const { body: user } = await api
      .post(`${org.consolePath}/users`, {
        username: 'agent',
        password: PASSWORD,
        permissions: ['revenue.view'],
      })
      .expect(201);
    const create = (by: ApiClient) =>
      by
        .post(`${org.consolePath}/api-keys`)
        .set('Idempotency-Key', 'secret')
        .send({ name: 'Shop', userId: (user as { id: number }).id });
    const { body: first } = await create(rich).expect(201);
    expect((await create(rich).expect(201)).body).toEqual(first);
    expect((await create(poor).expect(403)).body).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect((await create(api).expect(201)).body).not.toEqual(first);
  });
});
