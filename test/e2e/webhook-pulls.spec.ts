import { request as httpRequest } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { WebhookPullsService } from '../../src/modules/webhooks/api/webhook-pulls.service';
import { DeliveriesRepository } from '../../src/modules/webhooks/deliveries/deliveries.repository';
import { EndpointHealth } from '../../src/modules/webhooks/endpoints/endpoint-health';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { isGitHubStyle } from '../support/signatures';
import { API_HOST, TestApp, useTestApp } from '../support/test-app';
import { type LoggedTestDelivery, type TestWebhook, Webhooks } from '../support/webhooks';

const WEBHOOKS = '/api/v1/service/webhooks';
const DELIVERIES = '/api/v1/service/deliveries';
const HOUR_MS = 3_600_000;
const OTHER_LEASE = '01a1f815-7c00-7c4e-9b1a-5f2d8e6c0b18';

interface Pulled {
  deliveryId: string;
  event: string;
  attempt: number;
  lease: string;
  headers: Record<string, string>;
  body: string;
}

describe('webhook endpoints without a URL', () => {
  const app = useTestApp();
  let org: TestOrganization;
  let webhooks: Webhooks;
  let endpoint: TestWebhook;

  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    org = await createOrganization(app);
    webhooks = new Webhooks(app, org);
    endpoint = await create();
  });

  const create = (by = org): Promise<TestWebhook> =>
    by.api.create<TestWebhook>(WEBHOOKS, { delivery: 'PULL', events: ['contact.*'] });
  const pending = (query = '', id = endpoint.id) => `${WEBHOOKS}/${id}/pending?${query}`;
  const pull = async (query = '') =>
    (await org.api.read<{ deliveries: Pulled[] }>(pending(query))).deliveries;
  const report = ({ deliveryId, lease }: Pulled, result: object, by = org) =>
    by.api.post(`${DELIVERIES}/${deliveryId}/result`, { lease, durationMs: 12, ...result });
  const reported = async (pulled: Pulled, result: object) =>
    (await report(pulled, result).expect(200)).body as LoggedTestDelivery;
  const one = async (): Promise<Pulled> => {
    const [pulled] = await pull();
    if (!pulled) throw new Error('No delivery is due');
    return pulled;
  };
  const expireLeases = () =>
    app.sql(
      `UPDATE webhook_deliveries SET lease_until = now() - interval '1 second' WHERE organization_id = $1`,
      [org.organizationId],
    );
  const shown = () => org.api.read<TestWebhook>(`${WEBHOOKS}/${endpoint.id}`);

  it('are shown without one, and take none', async () => {
    expect(endpoint).toMatchObject({ delivery: 'PULL', url: null, state: 'ACTIVE', lastPulledAt: null });
    const { body } = await org.api.patch(`${WEBHOOKS}/${endpoint.id}`, { events: ['*'] }).expect(200);
    expect(body).toMatchObject({ url: null, events: ['*'] });
    const url = 'https://hooks.example.com/';
    for (const [answer, message] of [
      [
        org.api.post(WEBHOOKS, { delivery: 'PULL', url, events: ['*'] }),
        'must not be combined with delivery PULL',
      ],
      [org.api.post(WEBHOOKS, { events: ['*'] }), 'is required'],
      [org.api.patch(`${WEBHOOKS}/${endpoint.id}`, { url }), 'must not be combined with delivery PULL'],
    ] as const) {
      expect((await answer.expect(400)).body.details).toEqual([{ field: 'url', message }]);
    }
  });

  it('give the request that a URL would get, signed both ways', async () => {
    await webhooks.raise('link.created');
    await webhooks.raise('contact.created', { name: 'péng' });
    const [pulled, ...others] = await pull();
    expect(others).toEqual([]);
    if (!pulled) throw new Error('No delivery');
    const { body, headers } = pulled;
    expect(pulled).toMatchObject({ event: 'contact.created', attempt: 1 });
    expect(JSON.parse(body)).toEqual({
      event: 'contact.created',
      delivery_id: pulled.deliveryId,
      organization_id: org.organizationId,
      created_at: '2026-11-20T08:32:00Z',
      data: { name: 'péng' },
    });
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'User-Agent': 'Waypost-Webhooks/1',
      'webhook-id': pulled.deliveryId,
    });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(app.clock.now());
    const { secret } = endpoint;
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
    clock.mockRestore();
    expect(await isGitHubStyle(secret, body, headers['X-Signature-256'] ?? '')).toBe(true);

    await reported(pulled, { statusCode: 204 });
    const { body: logged } = await org.api.get(`${DELIVERIES}/${pulled.deliveryId}`).expect(200);
    expect(logged).toMatchObject({ body, attempts: [{ request: { url: null, headers } }] });
  });

  it('give events in their order, in whichever order Postgres returns them', async () => {
    for (let n = 0; n < 5; n++) await webhooks.raise('contact.created', { n });
    const repository = app.get(DeliveriesRepository);
    const claim = repository.claim.bind(repository);
    const reversed = jest.spyOn(repository, 'claim').mockImplementation(async (...given) => {
      const claimed = await claim(...given);
      return claimed.sort((one, other) => (one.id < other.id ? 1 : -1));
    });
    const data = (await pull()).map(({ body }) => (JSON.parse(body) as { data: object }).data);
    expect(data).toEqual([0, 1, 2, 3, 4].map((n) => ({ n })));
    reversed.mockRestore();
  });

  it('log results as attempts, and repeat what was not accepted on the usual schedule', async () => {
    await webhooks.raise();
    const first = await reported(await one(), { statusCode: 503, answer: `later\u0007${'x'.repeat(2000)}` });
    expect(first).toMatchObject({
      status: 'PENDING',
      attempts: [{ at: '2026-11-20T08:32:00Z', latencyMs: 12, statusCode: 503, error: null }],
    });
    expect(first.attempts[0]?.answer).toHaveLength(1024);
    expect(await shown()).toMatchObject({ state: 'FAILING', lastError: '503' });
    expect(await pull()).toEqual([]);
    app.clock.advance(6_000);
    const second = await one();
    expect(second).toMatchObject({ deliveryId: first.deliveryId, attempt: 2 });
    expect((await reported(second, { error: 'TIMEOUT' })).attempts[1]).toMatchObject({
      at: '2026-11-20T08:32:06Z',
      statusCode: null,
      error: 'TIMEOUT',
      answer: null,
    });
    app.clock.advance(6 * 60_000);
    expect(await reported(await one(), { statusCode: 200 })).toMatchObject({
      status: 'DELIVERED',
      nextAttemptAt: null,
      attempts: [{ statusCode: 503 }, { error: 'TIMEOUT' }, { statusCode: 200 }],
    });
    expect(await shown()).toMatchObject({ state: 'ACTIVE', last24Hours: { delivered: 1 } });
    expect(await pull()).toEqual([]);
  });

  it('fail after the last attempt', async () => {
    await webhooks.raise();
    let last: LoggedTestDelivery | undefined;
    for (let attempt = 1; attempt <= 8; attempt++) {
      last = await reported(await one(), { statusCode: 500 });
      app.clock.advance(12 * HOUR_MS);
    }
    expect(last).toMatchObject({ status: 'FAILED', nextAttemptAt: null });
    expect(await pull()).toEqual([]);
  });

  it('give each delivery to one of two listeners that pull at once', async () => {
    await webhooks.raise('contact.created', {}, 30);
    const pulled: Pulled[] = [];
    const listen = async () => {
      for (let some = await pull('limit=4'); some.length > 0; some = await pull('limit=4')) {
        expect(some.length).toBeLessThanOrEqual(4);
        pulled.push(...some);
        await Promise.all(some.map((each) => reported(each, { statusCode: 204 })));
      }
    };
    await Promise.all([listen(), listen()]);
    expect(pulled).toHaveLength(30);
    expect(new Set(pulled.map(({ deliveryId }) => deliveryId)).size).toBe(30);
    expect((await shown()).last24Hours).toEqual({ delivered: 30, failed: 0, pending: 0 });
  });

  it('give a delivery again after the lease of a listener that has died, and ignore its late result', async () => {
    await webhooks.raise();
    const lost = await one();
    expect(await pull()).toEqual([]);
    await expireLeases();
    const again = await one();
    expect(again).toMatchObject({ deliveryId: lost.deliveryId, body: lost.body, attempt: 1 });
    expect((await report(lost, { statusCode: 500 }).expect(409)).body.code).toBe('LEASE_LOST');
    await reported(again, { statusCode: 204 });
    expect((await report(again, { statusCode: 204 }).expect(409)).body.code).toBe('LEASE_LOST');
    expect(await webhooks.log(endpoint.id)).toMatchObject([{ status: 'DELIVERED', attempts: [{}] }]);
  });

  it('take a result after the lease, unless the delivery was pulled again', async () => {
    await webhooks.raise();
    const pulled = await one();
    await expireLeases();
    expect(await reported(pulled, { statusCode: 204 })).toMatchObject({ status: 'DELIVERED' });
  });

  it('answer a waiting pull when there is a delivery', async () => {
    const waiting = pull('wait=20');
    const listed = async () => {
      expect((await shown()).lastPulledAt).toBe('2026-11-20T08:32:00Z');
    };
    await eventually(listed);
    await webhooks.raise();
    expect(await waiting).toHaveLength(1);
    expect(await pull('wait=1')).toEqual([]);
  });

  it('lease nothing for a listener that has hung up', async () => {
    await webhooks.raise();
    const pulls = jest.spyOn(app.get(WebhookPullsService), 'pull');
    const repository = app.get(DeliveriesRepository);
    const claim = repository.claim.bind(repository);
    const claimed: ReturnType<typeof claim>[] = [];
    const claimForNobody = async (...given: Parameters<typeof claim>) => {
      sent.destroy();
      await eventually(async () =>
        expect(await Promise.resolve(pulls.mock.calls[0]?.[3].aborted)).toBe(true),
      );
      return claim(...given);
    };
    jest.spyOn(repository, 'claim').mockImplementation((...given) => {
      if (given[2] !== 'PULL' || claimed.length > 0) return claim(...given);
      const first = claimForNobody(...given);
      claimed.push(first);
      return first;
    });
    const sent = httpRequest(`${app.url}${pending('wait=20')}`, {
      headers: { Host: API_HOST, 'X-API-KEY': org.apiKey },
    });
    sent.on('error', () => undefined).end();
    await eventually(async () => expect(await Promise.resolve(claimed)).toHaveLength(1));
    await claimed[0];
    await eventually(async () => expect(await pull()).toHaveLength(1));
    jest.restoreAllMocks();
  });

  it('count open pulls as listeners of the organization', async () => {
    org = await createOrganization(app, { limits: { liveListeners: 0 } });
    endpoint = await create();
    expect((await org.api.get(pending()).expect(403)).body).toMatchObject({
      code: 'LIMIT_REACHED',
      limit: 0,
    });
  });

  it('deliver tests, redeliveries and replays', async () => {
    await webhooks.raise('contact.created', {}, 3);
    for (const each of await pull()) await reported(each, { statusCode: 204 });
    await org.api.post(`${WEBHOOKS}/${endpoint.id}/test`).expect(202);
    const test = await one();
    expect(test.event).toBe('webhook.test');
    await reported(test, { statusCode: 204 });
    await org.api.post(`${DELIVERIES}/${test.deliveryId}/redeliver`).expect(202);
    const again = await one();
    expect(again).toMatchObject({ deliveryId: test.deliveryId, body: test.body });
    await reported(again, { statusCode: 204 });
    await org.api.post(`${WEBHOOKS}/${endpoint.id}/replay`, { since: '2026-11-20' }).expect(202);
    const replayed = await pull('limit=100');
    expect(replayed.map(({ event }) => event)).toEqual(Array(3).fill('contact.created'));
  });

  it('are disabled by a 410, and after a day without a listener until they are enabled again', async () => {
    await webhooks.raise();
    await reported(await one(), { statusCode: 410 });
    expect(await shown()).toMatchObject({ enabled: false, disabledReason: 'GONE' });
    expect((await org.api.get(pending()).expect(409)).body.code).toBe('WEBHOOK_DISABLED');

    const enable = () => org.api.patch(`${WEBHOOKS}/${endpoint.id}`, { enabled: true }).expect(200);
    const unpulled = async () => {
      await app.get(EndpointHealth).disableUnpulled();
      return (await shown()).disabledReason;
    };
    const pushed = await webhooks.create('https://hooks.example.com/');
    app.clock.advance(23 * HOUR_MS);
    await enable();
    app.clock.advance(23 * HOUR_MS);
    expect(await unpulled()).toBeNull();
    await pull();
    app.clock.advance(23 * HOUR_MS);
    expect(await unpulled()).toBeNull();
    app.clock.advance(2 * HOUR_MS);
    expect(await unpulled()).toBe('NOT_PULLED');
    expect(await webhooks.get(pushed.id)).toMatchObject({ enabled: true });
    await webhooks.raise();
    await enable();
    expect(await unpulled()).toBeNull();
    expect((await shown()).last24Hours).toMatchObject({ pending: 0 });
  });

  it('are pulled by their organization alone, and no endpoint with a URL is', async () => {
    const other = await createOrganization(app);
    await webhooks.raise();
    expect((await other.api.get(pending()).expect(404)).body.code).toBe('NOT_FOUND');
    const pulled = await one();
    expect((await report(pulled, { statusCode: 204 }, other).expect(404)).body.code).toBe('NOT_FOUND');
    const pushed = await webhooks.create('https://hooks.example.com/', ['link.created']);
    expect((await org.api.get(pending('', pushed.id)).expect(409)).body.code).toBe('WEBHOOK_PUSHED');
    await reported(pulled, { statusCode: 204 });
    await org.api.delete(`${WEBHOOKS}/${endpoint.id}`).expect(204);
    await org.api.get(pending()).expect(404);
    await report(pulled, { statusCode: 204 }).expect(404);
  });

  it.each([
    [{}, 'statusCode', 'is required'],
    [{ statusCode: 200, error: 'TIMEOUT' }, 'error', 'must not be combined with statusCode'],
    [{ statusCode: 200, lease: 'mine' }, 'lease', expect.any(String)],
  ])('refuse the result %j', async (result, field, message) => {
    await webhooks.raise();
    const pulled = await one();
    expect((await report(pulled, result).expect(400)).body.details).toEqual([{ field, message }]);
    const foreign = { ...pulled, lease: OTHER_LEASE };
    expect((await report(foreign, { statusCode: 204 }).expect(409)).body.code).toBe('LEASE_LOST');
  });

  it('are pulled at a rate of their own', async () => {
    org = await createOrganization(app, { serviceRatePerMinute: 2 });
    endpoint = await create();
    await org.api.get(WEBHOOKS).expect(200);
    await org.api.get(WEBHOOKS).expect(429);
    const answer = await org.api.get(pending()).expect(200);
    expect([answer.get('RateLimit-Limit'), answer.get('RateLimit-Remaining')]).toEqual(['600', '599']);
    const result = await org.api
      .post(`${DELIVERIES}/${OTHER_LEASE}/result`, { lease: OTHER_LEASE, statusCode: 204, durationMs: 1 })
      .expect(404);
    expect(result.get('RateLimit-Remaining')).toBe('599');
  });
});

describe('a pull from a process that stops', () => {
  it('ends', async () => {
    const app = await TestApp.start();
    const { api } = await createOrganization(app);
    const { body } = await api.post(WEBHOOKS, { delivery: 'PULL', events: ['*'] }).expect(201);
    const claims = jest.spyOn(app.get(DeliveriesRepository), 'claim');
    const waiting = api.get(`${WEBHOOKS}/${(body as TestWebhook).id}/pending?wait=20`).expect(200);
    const answer = waiting.then((response) => response.body as object);
    await eventually(async () => expect(await Promise.resolve(claims.mock.calls.length)).toBeGreaterThan(0));
    await app.close();
    expect(await answer).toEqual({ deliveries: [] });
  });
});
