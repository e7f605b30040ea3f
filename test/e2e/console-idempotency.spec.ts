import { type ApiClient, consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

const PASSWORD = 'correct horse battery staple';

describe('Idempotency-Key in the console', () => {
  const app = useTestApp();
  let org: TestOrganization;
  let api: ApiClient;
  let base: string;
  beforeAll(async () => {
    org = await createOrganization(app);
    api = consoleApi(app);
    base = `/api/v1/console/organizations/${org.organizationId}`;
  });

  let keys = 0;
  /** Sends a request twice with one key. @returns the answer, which both have */
  async function twice(path: string, body: object = {}): Promise<{ id: number }> {
    const send = () => api.post(`${base}/${path}`).set('Idempotency-Key', `key ${keys}`).send(body);
    keys++;
    const first = await send();
    const again = await send();
    expect([path, first.ok, first.text]).toEqual([path, true, again.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    return first.body as { id: number };
  }

  it('replays every creation and action', async () => {
    const { userId } = org;
    const webhook = await twice('webhooks', { url: 'https://shop.example.com/hook', events: ['link.*'] });
    await twice(`webhooks/${webhook.id}/rotate-secret`);
    await twice(`webhooks/${webhook.id}/test`);
    await twice(`webhooks/${webhook.id}/replay`, { since: app.clock.date().toISOString() });
    const domain = await twice('custom-domains', { domainName: 'go.shop.example.com' });
    await twice(`custom-domains/${domain.id}/verify`);
    await twice(`custom-domains/${domain.id}/request-deletion`);
    const key = await twice('api-keys', { name: 'Shop', userId });
    await twice(`api-keys/${key.id}/regenerate`);
    await twice('invitations', { role: 'EDITOR' });
    await twice('users', { username: 'kim.minji', password: PASSWORD });
    await twice('ip-allow-list', { cidr: '203.0.113.0/24' });
    await twice('urls', { url: 'https://shop.example.com/' });
    await twice('urls/bulk', { items: [{ url: 'https://shop.example.com/' }] });
    await twice('campaigns', { name: 'Spring', originalUrl: 'https://shop.example.com/' });
    const made = await twice('mobile-apps', {
      appName: 'Shop',
      platform: 'iOS',
      bundleId: 'com.example.shop',
    });
    await twice(`mobile-apps/${made.id}/regenerate-key`);
    const contact = await twice('messaging/contacts', { externalUserId: 'u1', name: 'Kim' });
    await twice('messaging/contacts/bulk', [{ externalUserId: 'u2' }]);
    await twice(`contacts/${contact.id}/block`);
    await twice(`contacts/${contact.id}/unblock`);
    const group = await twice('messaging/groups', { name: 'Buyers' });
    await twice(`messaging/groups/${group.id}/members`, { contactIds: [contact.id] });
    await twice('messaging/unsubscribes', { channel: 'EMAIL', value: 'kim@shop.example.com' });
    await twice('opt-out-links', { channel: 'EMAIL', value: 'kim@shop.example.com' });
    const condition = { propKey: 'name', propOp: 'EQ', propValue: 'Kim' };
    const segment = await twice('segments', { name: 'Kims', conditionGroups: [{ conditions: [condition] }] });
    await twice(`segments/${segment.id}/evaluate`);
  });

  it('shows a stored answer to the user whose request it was alone', async () => {
    const adminOf = async (username: string, permissions: string[]) => {
      await api
        .post(`${base}/users`)
        .send({ username, password: PASSWORD, role: 'ADMIN', permissions })
        .expect(201);
      const { body } = await api
        .post('/api/v1/console/login')
        .send({ username, password: PASSWORD })
        .expect(200);
      return consoleApi(app, (body as { token: string }).token);
    };
    const rich = await adminOf('rich', ['revenue.view']);
    const poor = await adminOf('poor', []);
    const { body: user } = await api
      .post(`${base}/users`)
      .send({ username: 'agent', password: PASSWORD, permissions: ['revenue.view'] })
      .expect(201);
    const create = (by: ApiClient) =>
      by
        .post(`${base}/api-keys`)
        .set('Idempotency-Key', 'secret')
        .send({ name: 'Shop', userId: (user as { id: number }).id });
    const { body: first } = await create(rich).expect(201);
    expect((await create(rich).expect(201)).body).toEqual(first);
    expect((await create(poor).expect(403)).body).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect((await create(api).expect(201)).body).not.toEqual(first);
  });
});
