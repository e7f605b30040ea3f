import { ApiKeysService } from '../../src/access/api-keys/api-keys.service';
import type { Scope } from '../../src/access/scopes';
import { CONTACTS } from '../support/contacts';
import { eventually } from '../support/eventually';
import { type ApiClient, callerOf, consoleApi, createOrganization, serviceApi } from '../support/factories';
import { createDomain } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';
import { useWebhookReceiver } from '../support/webhook-receiver';

const WEBHOOKS = '/api/v1/service/webhooks';
const SEGMENTS = '/api/v1/service/segments';

describe('an API key of an ADMIN', () => {
  const app = useTestApp();
  const receiver = useWebhookReceiver();
  const own = perSuite(() => createOrganization(app, { allowList: ['127.0.0.0/8'] }));
  const other = perSuite(() => createOrganization(app));

  const keyWith = async (...scopes: Scope[]): Promise<ApiClient> => {
    const by = await callerOf(app, own.organizationId);
    const key = { name: 'Scoped', userId: own.userId, scopes };
    return serviceApi(app, (await app.get(ApiKeysService).create(by, key)).apiKey);
  };
  const ofConsole = (path: string) => consoleApi(app).get(path.replace('/api/v1/service', own.consolePath));
  const lastAudit = async (resourceType: string) => {
    const path = `${own.consolePath}/audit-log?resourceType=${resourceType}`;
    const { body } = await consoleApi(app).get(path).expect(200);
    return (body.content as { action: string; actor: object }[])[0];
  };

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

  it('sees usage and sessions, and what needs attention within its scopes', async () => {
    await createDomain(app, own, 'links.key.test', 'FAILED');
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
});
