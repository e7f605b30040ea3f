import { ApiKeysService } from '../../src/access/api-keys/api-keys.service';
import type { Scope } from '../../src/access/scopes';
import { CONTACTS } from '../support/contacts';
import { DnsServer } from '../support/dns-server';
import { eventually } from '../support/eventually';
import {
  type ApiClient,
  callerOf,
  consoleApi,
  createOrganization,
  serviceApi,
  type TestOrganization,
} from '../support/factories';
import { useTestApp } from '../support/test-app';
import { WebhookReceiver } from '../support/webhook-receiver';

const WEBHOOKS = '/api/v1/service/webhooks';
const DELIVERIES = '/api/v1/service/deliveries';
const DOMAINS = '/api/v1/service/custom-domains';
const SEGMENTS = '/api/v1/service/segments';

describe('an API key of an ADMIN', () => {
  let dns: DnsServer;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    dns = await DnsServer.start();
    receiver = await WebhookReceiver.start();
  });
  const app = useTestApp(() => ({ env: { DNS_SERVERS: dns.address } }));
  let own: TestOrganization;
  let other: TestOrganization;

  beforeAll(async () => {
    const allowList = ['127.0.0.0/8'];
    [own, other] = [await createOrganization(app, { allowList }), await createOrganization(app)];
  });
  afterAll(() => Promise.all([dns.close(), receiver.close()]));

  const keyWith = async (...scopes: Scope[]): Promise<ApiClient> => {
    const by = await callerOf(app, own.organizationId);
    const key = { name: 'Scoped', userId: own.userId, scopes };
    return serviceApi(app, (await app.get(ApiKeysService).create(by, key)).apiKey);
  };
  const ofConsole = (path: string) =>
    consoleApi(app).get(
      path.replace('/api/v1/service', `/api/v1/console/organizations/${own.organizationId}`),
    );
  const lastAudit = async (resourceType: string) => {
    const path = `/api/v1/console/organizations/${own.organizationId}/audit-log?resourceType=${resourceType}`;
    const { body } = await consoleApi(app).get(path).expect(200);
    return (body.content as { action: string; actor: object }[])[0];
  };

  it('manages webhook endpoints and their deliveries as the console does', async () => {
    const made = await own.api.post(WEBHOOKS, { url: receiver.url, events: ['link.*'] }).expect(201);
    const path = `${WEBHOOKS}/${made.body.id}`;
    expect(await lastAudit('webhook')).toMatchObject({
      action: 'webhook.create',
      actor: { type: 'API_KEY', name: 'Tests' },
    });
    const sent = await own.api.post(`${path}/test`).expect(202);
    const { deliveryId } = sent.body as { deliveryId: string };
    await eventually(async () => {
      const { body } = await own.api.get(`${path}/deliveries`).expect(200);
      expect(body.content).toEqual([expect.objectContaining({ deliveryId, status: 'DELIVERED' })]);
    });
    const shown = await own.api.get(`${DELIVERIES}/${deliveryId}`).expect(200);
    expect(shown.body.body).toBe(receiver.received[0]?.raw);
    await own.api.post(`${DELIVERIES}/${deliveryId}/redeliver`).expect(202);
    await eventually(async () =>
      expect(await Promise.resolve(receiver.ids)).toEqual([deliveryId, deliveryId]),
    );

    const rotated = await own.api.post(`${path}/rotate-secret`).expect(200);
    expect(rotated.body.secret).not.toBe(made.body.secret);
    const read = await own.api.get(path).expect(200);
    const edited = await own.api
      .patch(path, { events: ['*'] })
      .set('If-Match', read.get('ETag') ?? '')
      .expect(200);
    expect(edited.body.events).toEqual(['*']);
    await own.api
      .patch(path, { enabled: false })
      .set('If-Match', read.get('ETag') ?? '')
      .expect(409);
    expect((await own.api.patch(path, { enabled: false }).expect(200)).body).toMatchObject({
      state: 'DISABLED',
      disabledReason: 'MANUAL',
    });
    expect((await own.api.get(WEBHOOKS).expect(200)).body).toEqual((await ofConsole(WEBHOOKS)).body);

    for (const [answer, code] of [
      [other.api.get(path), 'NOT_FOUND'],
      [other.api.patch(path, { enabled: true }), 'NOT_FOUND'],
      [other.api.get(`${DELIVERIES}/${deliveryId}`), 'NOT_FOUND'],
      [own.api.post(WEBHOOKS, { url: 'ftp://example.com', events: ['*'] }), 'VALIDATION_FAILED'],
    ] as const) {
      expect((await answer).body.code).toBe(code);
    }
    await own.api.delete(path).expect(204);
    await own.api.get(path).expect(404);
  });

  it('edits an endpoint by its ETag whatever has been delivered meanwhile', async () => {
    const made = await own.api.post(WEBHOOKS, { url: receiver.url, events: ['link.*'] }).expect(201);
    const path = `${WEBHOOKS}/${made.body.id}`;
    const read = await own.api.get(path).expect(200);
    await own.api.post(`${path}/test`).expect(202);
    await eventually(async () =>
      expect((await own.api.get(path)).body.last24Hours).toEqual({ delivered: 1, failed: 0, pending: 0 }),
    );
    await own.api
      .patch(path, { enabled: false })
      .set('If-Match', read.get('ETag') ?? '')
      .expect(200);
  });

  it('adds, checks, changes and deletes custom domains', async () => {
    const added = await own.api.post(DOMAINS, { domainName: 'links.key.test' }).expect(201);
    const { id, cnameRecordName, cnameRecordValue } = added.body as {
      id: number;
      cnameRecordName: string;
      cnameRecordValue: string;
    };
    const path = `${DOMAINS}/${id}`;
    expect(added.body).toMatchObject({ status: 'PENDING', ownerUsername: own.username });
    dns.cname(cnameRecordName, cnameRecordValue);
    const checked = await own.api.post(`${path}/verify`).expect(200);
    expect(checked.body.status).toBe('VERIFIED');
    const read = await own.api.get(path).expect(200);
    const change = { rootUrl: 'https://www.example.com/' };
    await own.api
      .patch(path, change)
      .set('If-Match', read.get('ETag') ?? '')
      .expect(200);
    await own.api
      .patch(path, { rootUrl: null })
      .set('If-Match', read.get('ETag') ?? '')
      .expect(409);
    expect((await ofConsole(path)).body).toMatchObject(change);
    expect((await own.api.post(`${path}/request-deletion`).expect(200)).body.deletionRequested).toBe(true);
    expect((await own.api.post(`${path}/revoke`).expect(200)).body.status).toBe('REVOKED');
    await other.api.patch(path, { rootUrl: null }).expect(404);
    await other.api.delete(path).expect(404);
    await own.api.delete(path).expect(204);
    expect(await lastAudit('custom_domain')).toMatchObject({
      action: 'custom_domain.delete',
      actor: { type: 'API_KEY' },
    });
    await own.api.put(`${path}/disabled`, { reason: 'Phishing' }).expect(404);
  });

  it('creates, changes, evaluates and deletes segments', async () => {
    await own.api.post(CONTACTS, { externalUserId: 'kim', name: 'Kim' }).expect(201);
    const named = (name: string) => [{ conditions: [{ propKey: 'name', propOp: 'EQ', propValue: name }] }];
    const counted = await own.api.post(`${SEGMENTS}/count`, { conditionGroups: named('Kim') }).expect(200);
    expect(counted.body).toEqual({ count: 1 });
    const made = await own.api.post(SEGMENTS, { name: 'Kims', conditionGroups: named('Lee') }).expect(201);
    const path = `${SEGMENTS}/${made.body.id}`;
    await own.api.put(path, { conditionGroups: named('Kim') }).expect(200);
    expect((await own.api.post(`${path}/evaluate`).expect(200)).body.memberCount).toBe(1);
    expect((await own.api.get(SEGMENTS).expect(200)).body).toEqual((await ofConsole(SEGMENTS)).body);
    expect(await lastAudit('segment')).toMatchObject({
      action: 'segment.update',
      actor: { type: 'API_KEY' },
    });
    await other.api.put(path, { name: 'Mine' }).expect(404);
    const nameValues = async (...scopes: Scope[]) => {
      const { body } = await (await keyWith(...scopes)).get(`${SEGMENTS}/properties`).expect(200);
      return (body as { key: string; values: string[] | null }[]).find(({ key }) => key === 'tags')?.values;
    };
    await own.api.post(CONTACTS, { externalUserId: 'lee', tags: ['vip'] }).expect(201);
    expect(await nameValues('segments:read', 'contacts:read')).toEqual(['vip']);
    expect(await nameValues('segments:read')).toBeNull();
    await own.api.delete(path).expect(204);
  });

  it('takes contacts out and in, blocks and erases them', async () => {
    const saved = await own.api.post(CONTACTS, { externalUserId: 'park', name: 'Park' }).expect(201);
    const path = `${CONTACTS}/${saved.body.id}`;
    const file = (await own.api.get(`${CONTACTS}/export`).expect(200)).text;
    expect(file).toContain('park');
    const imported = await own.api.post(`${CONTACTS}/import`).set('Content-Type', 'text/csv').send(file);
    expect(imported.body).toMatchObject({ failed: 0, created: 0 });
    expect((await own.api.post(`${path}/block`).expect(200)).body.id).toBe(saved.body.id);
    expect((await own.api.get(`${path}/export`).expect(200)).body.contact.externalUserId).toBe('park');
    const editor = await createOrganization(app, { role: 'EDITOR', allowList: ['127.0.0.0/8'] });
    for (const answer of [
      editor.api.get(`${CONTACTS}/1/export`),
      editor.api.delete(`${CONTACTS}/1?erase=true`),
    ]) {
      expect((await answer.expect(403)).body).toMatchObject({ code: 'ROLE_REQUIRED', role: 'ADMIN' });
    }
    await own.api.delete(`${path}?erase=true`).expect(204);
    await own.api.get(`${path}/export`).expect(404);
    expect(await lastAudit('contact')).toMatchObject({ action: 'contact.erase', actor: { type: 'API_KEY' } });
  });

  it('sees usage and sessions, and what needs attention within its scopes', async () => {
    await app.sql(
      `UPDATE custom_domains SET status = 'FAILED', deleted_at = NULL WHERE organization_id = $1`,
      [own.organizationId],
    );
    await app.sql(`UPDATE api_keys SET expires_at = now() + interval '1 day' WHERE organization_id = $1`, [
      own.organizationId,
    ]);
    const kinds = async (api: ApiClient) =>
      (await api.get('/api/v1/service/attention').expect(200)).body.items.map(
        ({ kind }: { kind: string }) => kind,
      );
    expect(await kinds(own.api)).toEqual(['CUSTOM_DOMAINS', 'EXPIRING_API_KEYS']);
    expect(await kinds(await keyWith('analytics:read', 'domains:read'))).toEqual(['CUSTOM_DOMAINS']);
    expect(await kinds(await keyWith('analytics:read'))).toEqual([]);
    for (const path of ['usage', 'sessions', 'debug-schemes']) {
      const answer = await own.api.get(`/api/v1/service/${path}`).expect(200);
      expect(answer.body).toEqual((await ofConsole(`/api/v1/service/${path}`)).body);
    }
  });

  it('reads with a :read scope, and changes nothing with it', async () => {
    const reader = await keyWith('webhooks:read', 'domains:read');
    await reader.get(WEBHOOKS).expect(200);
    await reader.get(DOMAINS).expect(200);
    for (const [answer, scope] of [
      [reader.post(WEBHOOKS, { url: receiver.url, events: ['*'] }), 'webhooks:write'],
      [reader.post(DOMAINS, { domainName: 'other.key.test' }), 'domains:write'],
      [(await keyWith('links:write')).get(WEBHOOKS), 'webhooks:read'],
    ] as const) {
      expect((await answer.expect(403)).body).toMatchObject({ code: 'SCOPE_REQUIRED', scope });
    }
    const writer = await keyWith('webhooks:write');
    const made = await writer.post(WEBHOOKS, { url: receiver.url, events: ['*'] }).expect(201);
    await writer.get(`${WEBHOOKS}/${made.body.id}`).expect(200);
  });
});
