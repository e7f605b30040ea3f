import { createHmac } from 'node:crypto';
import { createOrganization, type TestOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { useTestApp } from '../support/test-app';
import { type ReceivedWebhook, WebhookReceiver } from '../support/webhook-receiver';
import { type TestWebhook, Webhooks } from '../support/webhooks';

const HOUR_MS = 3_600_000;
const NO_DELIVERY = '0197a3c1-5b7e-7c4d-9a2f-3e5d6c7b8a90';

/** The secrets that made each signature of a delivery. */
function signedBy({ raw, headers }: ReceivedWebhook, secrets: readonly string[]) {
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`;
  const hex = (secret: string) => `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`;
  const standard = (secret: string) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
  };
  return {
    body: secrets.findIndex((secret) => hex(secret) === headers['x-signature-256']),
    standard: headers['webhook-signature']
      ?.split(' ')
      .map((signature) => secrets.findIndex((secret) => standard(secret) === signature)),
  };
}

describe('webhooks in the console', () => {
  const app = useTestApp();
  let receiver: WebhookReceiver;
  let org: TestOrganization;
  let webhooks: Webhooks;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    // Deliveries of other tests would become due when the clock advances.
    await app.sql('DELETE FROM webhook_deliveries');
    receiver.reset();
    org = await createOrganization(app);
    webhooks = new Webhooks(app, org);
  });
  afterAll(() => receiver.close());

  const arrived = (count: number) =>
    eventually(async () => {
      expect(receiver.ids).toHaveLength(count);
    }).then(() => webhooks.settled());
  const redeliver = (id: string) =>
    webhooks.console.post(`/api/v1/console/organizations/${org.organizationId}/deliveries/${id}/redeliver`);
  const replay = (id: number, since: string) =>
    webhooks.console.post(`${webhooks.path}/${id}/replay`, { since });
  const audit = async () => {
    const path = `/api/v1/console/organizations/${org.organizationId}/audit-log?resourceType=webhook`;
    return (await webhooks.console.get(path).expect(200)).body.content as {
      action: string;
      changes: object;
    }[];
  };

  it('are created, shown, changed and deleted; the secret is shown once', async () => {
    const made = await webhooks.create(receiver.url, ['link.*', 'link.*', 'contact.created']);
    expect(Buffer.from(/^whsec_(.+)$/.exec(made.secret)?.[1] ?? '', 'base64')).toHaveLength(32);
    const { secret, ...shown } = made;
    expect(shown).toEqual({
      id: expect.any(Number),
      delivery: 'PUSH',
      url: receiver.url,
      events: ['link.*', 'contact.created'],
      links: [],
      campaigns: [],
      tags: [],
      apps: [],
      enabled: true,
      state: 'ACTIVE',
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      lastError: null,
      lastErrorAt: null,
      lastDeliveredAt: null,
      lastPulledAt: null,
      last24Hours: { delivered: 0, failed: 0, pending: 0 },
      replayingSince: null,
      previousSecretUntil: null,
      createdAt: '2026-11-20T08:32:00Z',
      updatedAt: '2026-11-20T08:32:00Z',
    });
    expect(await webhooks.get(made.id)).toEqual(shown);
    const { body } = await webhooks.console.get(webhooks.path).expect(200);
    expect(body).toMatchObject({ content: [shown], totalElements: 1 });

    app.clock.advance(1_000);
    expect(await webhooks.patch(made.id, { url: receiver.at('/new'), events: null, enabled: false })).toEqual(
      {
        ...shown,
        url: receiver.at('/new'),
        enabled: false,
        state: 'DISABLED',
        disabledReason: 'MANUAL',
        disabledAt: '2026-11-20T08:32:01Z',
        updatedAt: '2026-11-20T08:32:01Z',
      },
    );
    app.clock.advance(1_000);
    expect(await webhooks.patch(made.id, {})).toMatchObject({ updatedAt: '2026-11-20T08:32:01Z' });
    await webhooks.console.delete(`${webhooks.path}/${made.id}`).expect(204);
    await webhooks.console.get(`${webhooks.path}/${made.id}`).expect(404);
    await webhooks.console.delete(`${webhooks.path}/${made.id}`).expect(404);
    expect((await webhooks.console.get(webhooks.path)).body.content).toEqual([]);

    const entries = await audit();
    expect(entries.map(({ action }) => action)).toEqual([
      'webhook.delete',
      'webhook.update',
      'webhook.create',
    ]);
    // Paths and queries of receivers are often as secret as a password.
    const kept = JSON.stringify([entries, await app.sql('SELECT * FROM webhook_endpoints')]);
    for (const hidden of [secret, 'key=secret', '/hook']) expect(kept).not.toContain(hidden);
  });

  it.each([
    ['url', { url: 'ftp://hooks.example.com/' }],
    ['url', { url: 'https://user:password@hooks.example.com/' }],
    ['url', { url: 'https://hooks.example.com/#part' }],
    ['events', { events: ['link.redirectRequest'] }],
    ['events', { events: ['contact.created', '**'] }],
    ['events', { events: ['*', 'contact.created'] }],
  ])('refuse a bad %s: %j', async (field, fields) => {
    const good = { url: receiver.url, events: ['*'] };
    const { body } = await webhooks.console.post(webhooks.path, { ...good, ...fields }).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    const { id } = await webhooks.create(receiver.url);
    const patched = await webhooks.console.patch(`${webhooks.path}/${id}`, fields).expect(400);
    expect(patched.body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });

  describe('rotate their secret', () => {
    let endpoint: TestWebhook;
    const secrets: string[] = [];
    const rotate = async () => {
      const { body } = await webhooks.console
        .post(`${webhooks.path}/${endpoint.id}/rotate-secret`)
        .expect(200);
      secrets.push(body.secret as string);
      return body as TestWebhook;
    };
    const next = async () => {
      receiver.reset();
      await webhooks.raise();
      await arrived(1);
      return signedBy(receiver.received[0] as ReceivedWebhook, secrets);
    };
    beforeEach(async () => {
      endpoint = await webhooks.create(receiver.url);
      secrets.splice(0, secrets.length, endpoint.secret);
    });

    it('and sign with both for 24 hours', async () => {
      expect(await next()).toEqual({ body: 0, standard: [0] });
      expect(await rotate()).toMatchObject({ previousSecretUntil: '2026-11-21T08:32:00Z' });
      expect(new Set(secrets).size).toBe(2);
      expect(await next()).toEqual({ body: 0, standard: [1, 0] });
      app.clock.advance(24 * HOUR_MS - 1);
      expect(await next()).toEqual({ body: 0, standard: [1, 0] });
      app.clock.advance(1);
      expect(await next()).toEqual({ body: 1, standard: [1] });
      expect(await webhooks.get(endpoint.id)).toMatchObject({ previousSecretUntil: null });
    });

    it('until it is promoted', async () => {
      await rotate();
      expect(await webhooks.patch(endpoint.id, { promote: true })).toMatchObject({
        previousSecretUntil: null,
      });
      expect(await next()).toEqual({ body: 1, standard: [1] });
    });

    it('twice in a day, keeping 24 hours for the first one', async () => {
      await rotate();
      app.clock.advance(10 * HOUR_MS);
      await rotate();
      expect(await next()).toEqual({ body: 0, standard: [2, 1, 0] });
      app.clock.advance(14 * HOUR_MS);
      expect(await next()).toEqual({ body: 1, standard: [2, 1] });
      app.clock.advance(10 * HOUR_MS);
      expect(await next()).toEqual({ body: 2, standard: [2] });
    });

    it('ten times, and still sign with the newest', async () => {
      for (let i = 0; i < 10; i++) await rotate();
      const { standard } = await next();
      expect(standard).toEqual([10, 9, 8, 7]);
    });
  });

  it('are tested individually, but not while disabled', async () => {
    const { id } = await webhooks.create(receiver.at('/one'), ['link.clicked']);
    await webhooks.create(receiver.at('/two'), ['*']);
    const { body } = await webhooks.console.post(`${webhooks.path}/${id}/test`).expect(202);
    await arrived(1);
    expect(receiver.received[0]).toMatchObject({
      path: '/one',
      body: {
        event: 'webhook.test',
        delivery_id: body.deliveryId,
        data: { message: 'Waypost reaches this endpoint ✓' },
      },
    });
    await webhooks.patch(id, { enabled: false });
    const refused = await webhooks.console.post(`${webhooks.path}/${id}/test`).expect(409);
    expect(refused.body.code).toBe('WEBHOOK_DISABLED');
    expect((await replay(id, '2026-11-20T00:00:00Z').expect(409)).body.code).toBe('WEBHOOK_DISABLED');
    expect((await redeliver(body.deliveryId as string).expect(409)).body.code).toBe('WEBHOOK_DISABLED');
  });

  it('log deliveries by status, event and time', async () => {
    const { id } = await webhooks.create(receiver.url);
    await webhooks.raise('contact.created', { n: 1 });
    await arrived(1);
    receiver.status(500, {}, 'no');
    app.clock.advance(60_000);
    await webhooks.raise('contact.updated', { n: 2 });
    await arrived(2);
    receiver.status(204);
    app.clock.advance(60_000);
    await webhooks.raise('link.clicked', { n: 3 });
    await eventually(async () => expect(await webhooks.log(id, 'status=DELIVERED')).toHaveLength(3));
    const events = async (query: string) => (await webhooks.log(id, query)).map(({ event }) => event);
    expect(await events('')).toEqual(['link.clicked', 'contact.updated', 'contact.created']);
    expect(await events('status=FAILED')).toEqual([]);
    expect(await events('event=contact.updated')).toEqual(['contact.updated']);
    expect(await events('from=2026-11-20T08:33:00Z')).toEqual(['link.clicked', 'contact.updated']);
    expect(await events('to=2026-11-20T08:33:00Z')).toEqual(['contact.created']);
    expect(await events('from=2026-11-20T08:33:00Z&to=2026-11-20T08:34:00Z&status=DELIVERED')).toEqual([
      'contact.updated',
    ]);
    expect(await events('from=2026-11-20&to=2026-11-20')).toHaveLength(3);
    expect(await events('from=2026-11-21')).toEqual([]);
    expect(await events('size=1&page=1')).toEqual(['contact.updated']);
    expect(await events('size=100&page=100')).toEqual([]);
    const [retried] = await webhooks.log(id, 'event=contact.updated');
    expect(retried?.attempts).toMatchObject([
      { at: '2026-11-20T08:33:00Z', statusCode: 500, answer: 'no', error: null },
      { at: '2026-11-20T08:34:00Z', statusCode: 204, answer: '', error: null },
    ]);
    const backwards = `${webhooks.path}/${id}/deliveries?from=2026-11-21&to=2026-11-20`;
    const { body } = await webhooks.console.get(backwards).expect(400);
    expect(body.details).toMatchObject([{ field: 'from' }]);
  });

  it('redeliver, with the same id and bytes', async () => {
    const { id } = await webhooks.create(receiver.url);
    await webhooks.raise('contact.created', { name: 'péng' });
    await arrived(1);
    const [first = ''] = receiver.ids;
    app.clock.advance(10 * HOUR_MS);
    expect((await redeliver(first).expect(202)).body).toEqual({ deliveryId: first });
    await arrived(2);
    expect(receiver.received[1]?.raw).toBe(receiver.received[0]?.raw);
    await eventually(async () => expect((await webhooks.log(id))[0]?.attempts).toHaveLength(2));
    // A failed delivery gets all attempts again.
    receiver.status(500);
    await redeliver(first.toUpperCase()).expect(202);
    await arrived(3);
    await eventually(async () => expect((await webhooks.log(id))[0]).toMatchObject({ status: 'PENDING' }));
    await redeliver(NO_DELIVERY).expect(404);
    expect((await redeliver('x').expect(400)).body.details).toMatchObject([{ field: 'deliveryId' }]);
    await app.sql('DELETE FROM outbox_events WHERE organization_id = $1', [org.organizationId]);
    await redeliver(first).expect(404);
    expect((await audit()).map(({ action }) => action)).toEqual([
      'webhook.redeliver',
      'webhook.redeliver',
      'webhook.create',
    ]);
  });

  describe('replay', () => {
    const n = () => receiver.received.map(({ body }) => body.data.n as number).toSorted((a, b) => a - b);
    const raiseMany = async (from: number, to: number) => {
      for (let i = from; i < to; i++) await webhooks.raise('contact.created', { n: i });
    };

    it('all events since a time, delivered or not, and nothing else', async () => {
      await raiseMany(0, 1);
      app.clock.advance(1_000);
      await raiseMany(1, 3);
      app.clock.advance(60_000);
      const { id } = await webhooks.create(receiver.url, ['contact.*']);
      await webhooks.raise('link.clicked', { n: 100 });
      await raiseMany(3, 5);
      await arrived(2);
      const other = await webhooks.create(receiver.at('/other'), ['webhook.test']);
      await webhooks.console.post(`${webhooks.path}/${other.id}/test`).expect(202);
      await arrived(3);
      const before = new Map(receiver.received.map(({ body, raw }) => [body.delivery_id, raw]));
      receiver.reset();
      const { body } = await replay(id, '2026-11-20T08:32:01Z').expect(202);
      expect(body).toEqual({ since: '2026-11-20T08:32:01Z' });
      await arrived(4);
      await eventually(async () => expect(await webhooks.get(id)).toMatchObject({ replayingSince: null }));
      expect(n()).toEqual([1, 2, 3, 4]);
      // Events delivered before are repeated unchanged.
      const known = receiver.received.filter(({ body: { delivery_id: id } }) => before.has(id));
      expect(known.map(({ body: { data } }) => data.n).toSorted()).toEqual([3, 4]);
      for (const {
        body: { delivery_id: deliveryId },
        raw,
      } of known)
        expect(before.get(deliveryId)).toBe(raw);
      const ids = receiver.ids;
      receiver.reset();
      await replay(id, '2026-11-21').expect(400);
      expect((await replay(id, '2026-11-20').expect(202)).body).toEqual({ since: '2026-11-20T00:00:00Z' });
      await arrived(5);
      expect(receiver.ids).toEqual(expect.arrayContaining(ids));
    });

    it('many events once, even when requested concurrently', async () => {
      const events = 350;
      await webhooks.raise('contact.created', {}, events);
      const { id } = await webhooks.create(receiver.url);
      const held: (() => void)[] = [];
      receiver.answer = (_, response) => void held.push(() => response.writeHead(204).end());
      await Promise.all(Array.from({ length: 5 }, () => replay(id, '2026-11-20T08:00:00Z').expect(202)));
      receiver.status(204);
      for (const answer of held) answer();
      await eventually(async () => expect(await webhooks.get(id)).toMatchObject({ replayingSince: null }));
      await arrived(events);
      expect(new Set(receiver.ids).size).toBe(events);
    });
  });
});
