import { createHmac } from 'node:crypto';
import type { DetailedDeliveryResponse as Detailed } from '../../src/modules/webhooks/api/webhook-deliveries.dto';
import { createOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { perTest, useTestApp } from '../support/test-app';
import { type ReceivedWebhook, useWebhookReceiver } from '../support/webhook-receiver';
import { type TestWebhook, Webhooks } from '../support/webhooks';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { isGitHubStyle, oneByteOff } from '../support/signatures';

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

  const receiver = useWebhookReceiver();
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    // Deliveries of other tests would become due when the clock advances.
    await app.sql('DELETE FROM webhook_deliveries');
    receiver.reset();
  });
  const org = perTest(() => createOrganization(app));
  const webhooks = new Webhooks(app, org);

  const arrived = (count: number) =>
    eventually(async () => expect(receiver.ids).toHaveLength(count)).then(() => webhooks.settled());
  const redeliver = (id: string) => webhooks.console.post(`${org.consolePath}/deliveries/${id}/redeliver`);
  const replay = (id: number, since: string) =>
    webhooks.console.post(`${webhooks.path}/${id}/replay`, { since });
  const audit = async () => {
    return (await webhooks.console.get(`${org.consolePath}/audit-log?resourceType=webhook`).expect(200)).body
      .content as {
      action: string;
      changes: object;
    }[];
  };

  const get = (id: string) => webhooks.console.get(`${org.consolePath}/deliveries/${id}`);
  const detailed = async (id: string) => (await get(id).expect(200)).body as Detailed;

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

  it('show each delivery as it arrived, beside the answer, also after URL and secret have changed', async () => {
    const { id, secret } = await webhooks.create(receiver.at('/first?key=secret'));
    receiver.status(500, {}, 'no');
    await webhooks.raise('contact.created', { name: 'péng' });
    await arrived(1);
    await webhooks.patch(id, { url: receiver.at('/second') });
    const rotated = await webhooks.console.post(`${webhooks.path}/${id}/rotate-secret`).expect(200);
    receiver.status(204);
    app.clock.advance(60_000);
    await webhooks.sweep();
    await arrived(2);
    await webhooks.patch(id, { promote: true });

    const [delivery = ''] = receiver.ids;
    const shown = await detailed(delivery);
    expect(shown).toMatchObject({
      deliveryId: delivery,
      webhookId: id,
      event: 'contact.created',
      status: 'DELIVERED',
      createdAt: '2026-11-20T08:32:00Z',
      nextAttemptAt: null,
      body: receiver.received[0]?.raw,
      attempts: [
        {
          at: '2026-11-20T08:32:00Z',
          statusCode: 500,
          answer: 'no',
          request: { url: receiver.at('/first?key=secret') },
        },
        { at: '2026-11-20T08:33:00Z', statusCode: 204, answer: '', request: { url: receiver.at('/second') } },
      ],
    });
    for (const [i, { headers, raw }] of receiver.received.entries()) {
      expect(raw).toBe(shown.body);
      for (const [name, value] of Object.entries(shown.attempts[i]?.request?.headers ?? {})) {
        expect([name, headers[name.toLowerCase()]]).toEqual([name, value]);
      }
    }
    const names = Object.keys(shown.attempts[1]?.request?.headers ?? {});
    expect(names).toEqual(
      expect.arrayContaining(['X-Signature-256', 'webhook-signature', 'webhook-timestamp']),
    );
    expect(shown.attempts[1]?.request?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const hidden of [secret, (rotated.body as { secret: string }).secret]) {
      expect(JSON.stringify(shown)).not.toContain(hidden);
    }
    // The list stays as it was, and the database has neither address nor signature in the clear.
    expect((await webhooks.log(id))[0]?.attempts[0]).not.toHaveProperty('request');
    const rows = JSON.stringify(await app.sql('SELECT * FROM webhook_deliveries'));
    for (const hidden of ['key=secret', 'sha256=', 'v1,']) expect(rows).not.toContain(hidden);
  });

  it('show attempts without an answer', async () => {
    const { id } = await webhooks.create(receiver.url);
    receiver.answer = (_, response) => void response.destroy();
    await webhooks.raise();
    await arrived(1);
    const [delivery = ''] = receiver.ids;
    const shown = await detailed(delivery);
    expect(shown).toMatchObject({
      webhookId: id,
      status: 'PENDING',
      nextAttemptAt: expect.any(String),
      attempts: [{ statusCode: null, error: expect.any(String), request: { url: receiver.url } }],
    });
    await app.sql('UPDATE webhook_deliveries SET attempts = NULL WHERE id = $1', [delivery]);
    expect(await detailed(delivery)).toMatchObject({ body: shown.body, attempts: [] });
  });

  it('show no body once the event has been deleted, and nothing of a deleted endpoint', async () => {
    const { id } = await webhooks.create(receiver.url);
    await webhooks.raise();
    await arrived(1);
    const [delivery = ''] = receiver.ids;
    await app.sql('DELETE FROM outbox_events WHERE organization_id = $1', [org.organizationId]);
    expect(await detailed(delivery.toUpperCase())).toMatchObject({
      body: null,
      attempts: [{ statusCode: 204 }],
    });
    await webhooks.console.delete(`${webhooks.path}/${id}`).expect(204);
    await get(delivery).expect(404);
    await get(NO_DELIVERY).expect(404);
    expect((await get('x').expect(400)).body.details).toMatchObject([{ field: 'deliveryId' }]);
  });

  it('count deliveries of the last 24 hours by endpoint', async () => {
    const [one, two] = [
      await webhooks.create(receiver.url),
      await webhooks.create(receiver.at('/two'), ['link.*']),
    ];
    const counts = async () => {
      const { body } = await webhooks.console.get(webhooks.path).expect(200);
      const { content } = body as { content: { id: number; last24Hours: object }[] };
      return [one, two].map(({ id }) => content.find((each) => each.id === id)?.last24Hours);
    };
    const NONE = { delivered: 0, failed: 0, pending: 0 };
    await webhooks.raise('contact.created', {}, 2);
    await arrived(2);
    app.clock.advance(HOUR_MS);
    receiver.status(500);
    await webhooks.raise('contact.created', {}, 3);
    await arrived(5);
    expect(await counts()).toEqual([{ delivered: 2, failed: 0, pending: 3 }, NONE]);
    const failed = `UPDATE webhook_deliveries SET status = 'FAILED', next_at = NULL
                     WHERE id = (SELECT id FROM webhook_deliveries WHERE status = 'PENDING' LIMIT 1)`;
    await app.sql(failed);
    expect(await webhooks.get(one.id)).toMatchObject({
      last24Hours: { delivered: 2, failed: 1, pending: 2 },
    });
    app.clock.advance(23 * HOUR_MS);
    expect((await counts())[0]).toEqual({ delivered: 2, failed: 1, pending: 2 });
    app.clock.advance(1);
    expect((await counts())[0]).toEqual({ delivered: 0, failed: 1, pending: 2 });
    expect(await webhooks.patch(one.id, { events: ['*'] })).toMatchObject({ last24Hours: { failed: 1 } });
  });

  it('count up to the newest 10,000 deliveries of each endpoint', async () => {
    const { id } = await webhooks.create(receiver.url, ['webhook.test']);
    await app.sql(
      `INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, event, status)
       SELECT ('019aa0b6-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
              $1, $2, gen_random_uuid(), 'webhook.test', CASE WHEN i <= 12000 THEN 'FAILED' ELSE 'DELIVERED' END
         FROM generate_series(1, 20000) AS i`,
      [org.organizationId, id],
    );
    await app.sql('ANALYZE webhook_deliveries');
    app.clock.set(new Date(parseInt('019aa0b60000', 16)));
    const { last24Hours } = await webhooks.get(id);
    const { delivered, failed } = last24Hours as { delivered: number; failed: number };
    expect([delivered + failed, delivered]).toEqual([10_000, 8_000]);
  });

  describe('signatures of deliveries', () => {
    let endpoint: TestWebhook;

    beforeEach(async () => {
      endpoint = await webhooks.create(receiver.url);
    });

    /** Emits and delivers an event. */
    const deliver = async (): Promise<ReceivedWebhook> => {
      receiver.reset();
      await webhooks.raise('contact.created', { id: 1, name: '김민지', note: 'a/b "✓"' });
      await eventually(async () => expect(receiver.received).toHaveLength(1));
      const [hook] = receiver.received;
      if (!hook) throw new Error('Nothing was delivered');
      return hook;
    };
    /** Verifies with the library of Standard Webhooks at the time of the service's clock. */
    const isStandard = (
      secret: string,
      { raw, headers }: Pick<ReceivedWebhook, 'raw' | 'headers'>,
    ): boolean => {
      const clock = jest.spyOn(Date, 'now').mockReturnValue(app.clock.now());
      try {
        new Webhook(secret).verify(raw, headers);
        return true;
      } catch (error) {
        if (error instanceof WebhookVerificationError) return false;
        // The changed body may not be JSON any more, but its signature was valid.
        return error instanceof SyntaxError;
      } finally {
        clock.mockRestore();
      }
    };
    const isGitHub = (secret: string, { raw, headers }: ReceivedWebhook) =>
      isGitHubStyle(secret, raw, headers['x-signature-256'] ?? '');

    it('verify with the library of Standard Webhooks, but not with any byte changed', async () => {
      const hook = await deliver();
      expect(isStandard(endpoint.secret, hook)).toBe(true);
      const { raw, headers } = hook;
      expect(Buffer.byteLength(raw)).toBeGreaterThan(raw.length);
      const forged = [
        ...oneByteOff(raw).map((bytes) => ({ headers, raw: bytes.toString() })),
        ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].flatMap((name) =>
          oneByteOff(headers[name] ?? '').map((bytes) => ({
            raw,
            headers: { ...headers, [name]: bytes.toString() },
          })),
        ),
      ];
      expect(forged.length).toBeGreaterThan(200);
      expect(forged.filter((each) => isStandard(endpoint.secret, each))).toEqual([]);
    });

    it('verify with GitHub’s library for receivers, but not with any byte changed', async () => {
      const hook = await deliver();
      expect(await isGitHub(endpoint.secret, hook)).toBe(true);
      const { raw, headers } = hook;
      const signature = headers['x-signature-256'] ?? '';
      const forged = [
        ...oneByteOff(raw).map((bytes) => isGitHubStyle(endpoint.secret, bytes.toString(), signature)),
        ...oneByteOff(signature).map((bytes) => isGitHubStyle(endpoint.secret, raw, bytes.toString())),
      ];
      expect((await Promise.all(forged)).filter(Boolean)).toEqual([]);
    });
  });
});
