import { Database } from '../../src/infrastructure/database/database';
import { DeliveriesProcessor } from '../../src/modules/webhooks/deliveries/deliveries.processor';
import { DeliveriesRepository } from '../../src/modules/webhooks/deliveries/deliveries.repository';
import { RETRY_STEPS_MS } from '../../src/modules/webhooks/deliveries/delivery-results';
import { OutboxHousekeeping } from '../../src/modules/webhooks/outbox/outbox-housekeeping';
import { WebhookOutbox } from '../../src/modules/webhooks/outbox/webhook-outbox';
import { consoleApi, createOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { perTest, TestApp, useTestApp } from '../support/test-app';
import { useWebhookReceiver, WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

const DAY_MS = 86_400_000;
/** Number of rolled-back changes; WEBHOOK_LONG=1 for a long run. */
const ROLLED_BACK = process.env.WEBHOOK_LONG ? 1_000 : 20;

describe('webhooks', () => {
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

  it('report a change in the envelope of docs/webhooks.md#a-delivery, signed', async () => {
    const { id } = await webhooks.create(receiver.url, ['unsubscribe.*']);
    const body = { value: '+82 10-2345-6789', source: 'customer center' };
    const answer = await org.api.post('/api/v1/service/messaging/unsubscribes', body).expect(201);
    await eventually(async () => expect(receiver.received).toHaveLength(1));
    const [hook] = receiver.received;
    expect(hook?.body).toEqual({
      event: 'unsubscribe.created',
      delivery_id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      organization_id: org.organizationId,
      created_at: '2026-11-20T08:32:00Z',
      data: expect.objectContaining({ id: answer.body.id, channel: 'SMS', phone: '+821023456789' }),
    });
    expect(Object.keys(hook?.body ?? {})).toEqual([
      'event',
      'delivery_id',
      'organization_id',
      'created_at',
      'data',
    ]);
    expect(hook?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Waypost-Webhooks/1',
      'webhook-id': hook?.body.delivery_id,
      'webhook-timestamp': String(Date.parse('2026-11-20T08:32:00Z') / 1000),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'x-signature-256': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    });
    await eventually(async () => {
      expect(await webhooks.log(id)).toEqual([
        {
          deliveryId: hook?.body.delivery_id,
          event: 'unsubscribe.created',
          status: 'DELIVERED',
          createdAt: '2026-11-20T08:32:00Z',
          nextAttemptAt: null,
          attempts: [
            {
              at: '2026-11-20T08:32:00Z',
              latencyMs: expect.any(Number),
              statusCode: 204,
              error: null,
              answer: '',
            },
          ],
        },
      ]);
    });
  });

  const arrived = (count: number) =>
    eventually(async () => {
      expect(receiver.ids).toHaveLength(count);
    }).then(() => webhooks.settled());
  /** Time of the next attempt of an endpoint's delivery. */
  const nextAt = async (endpointId: number): Promise<Date | null> => {
    const [row] = await app.sql<{ next_at: Date | null }>(
      'SELECT next_at FROM webhook_deliveries WHERE endpoint_id = $1',
      [endpointId],
    );
    return row?.next_at ?? null;
  };
  const goTo = async (time: Date | number): Promise<void> => {
    app.clock.set(new Date(time));
    await webhooks.sweep();
  };

  it('go only to endpoints that subscribe to the event, its group or everything', async () => {
    await webhooks.create(receiver.at('/name'), ['contact.created']);
    await webhooks.create(receiver.at('/group'), ['link.*', 'contact.*']);
    await webhooks.create(receiver.at('/all'), ['*']);
    await webhooks.create(receiver.at('/other'), ['contact.updated', 'link.*']);
    await webhooks.create(receiver.at('/disabled'), ['*'], { enabled: false });
    await new Webhooks(app, await createOrganization(app)).create(receiver.at('/stranger'));
    await webhooks.raise('contact.created');
    await arrived(3);
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/all', '/group', '/name']);
    expect(new Set(receiver.ids).size).toBe(3);
  });

  it('are not sent for rolled-back changes', async () => {
    await webhooks.create(receiver.url);
    const { organizationId } = org;
    for (let i = 0; i < ROLLED_BACK; i++) {
      const failed = app.get(Database).write(async (tx) => {
        await app.get(WebhookOutbox).add(tx, { name: 'contact.created', organizationId, data: { i } });
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
    }
    await webhooks.raise();
    await arrived(1);
    const rows = await app.sql('SELECT 1 FROM webhook_deliveries WHERE organization_id = $1', [
      organizationId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('are sent at once when the clock of the process that stored them is ahead', async () => {
    await webhooks.create(receiver.url);
    app.clock.run();
    await app.get(Database).write(async (tx) => {
      app.clock.advance(5 * 60_000);
      const event = { name: 'contact.created', organizationId: org.organizationId, data: { id: 1 } } as const;
      await app.get(WebhookOutbox).add(tx, event);
      app.clock.run();
    });
    await eventually(async () => expect(receiver.received).toHaveLength(1));
  });

  it('are retried after each delay, give or take a fifth, with the same bytes, until the last one', async () => {
    receiver.status(500, {}, 'no '.repeat(1000));
    const { id } = await webhooks.create(receiver.url);
    await webhooks.raise('contact.created', { name: 'péng "quoted" \u2028' });
    await arrived(1);
    for (const [i, step] of RETRY_STEPS_MS.entries()) {
      const due = await nextAt(id);
      const waits = (due?.getTime() ?? 0) - app.clock.now();
      expect(waits).toBeGreaterThanOrEqual(step * 0.8);
      expect(waits).toBeLessThanOrEqual(step * 1.2);
      await goTo(app.clock.now() + waits - 1);
      expect(receiver.received).toHaveLength(i + 1);
      await goTo(app.clock.now() + 1);
      await arrived(i + 2);
    }
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(receiver.ids).size).toBe(1);
    const [delivery] = await webhooks.log(id);
    expect(delivery).toMatchObject({ status: 'FAILED', nextAttemptAt: null });
    expect(delivery?.attempts).toHaveLength(8);
    expect(delivery?.attempts[7]).toMatchObject({
      statusCode: 500,
      answer: 'no '.repeat(1000).slice(0, 1024),
    });
    await goTo(app.clock.now() + 10 * DAY_MS);
    expect(receiver.received).toHaveLength(8);
  });

  it.each([
    ['8', 8_000],
    ['3600', 10_000],
    ['Fri, 20 Nov 2026 08:32:07 GMT', 7_000],
    ['999999999999', null],
    ['1', null],
    ['-1', null],
    ['soon', null],
    ['Wed, 31 Dec 1969 23:59:59 GMT', null],
  ])('respect Retry-After: %s up to twice the delay', async (header, expected) => {
    receiver.status(503, { 'Retry-After': header });
    const { id } = await webhooks.create(receiver.url);
    await webhooks.raise();
    await arrived(1);
    const waits = ((await nextAt(id))?.getTime() ?? 0) - app.clock.now();
    if (expected !== null) expect(waits).toBe(expected);
    else expect(Math.abs(waits - 5_000)).toBeLessThanOrEqual(1_000);
  });

  it.each([301, 302, 307, 308, 400, 404])('treat %d as a failure, and follow no redirect', async (status) => {
    receiver.status(status, { Location: receiver.at('/elsewhere') });
    const { id } = await webhooks.create(receiver.url);
    await webhooks.raise();
    await arrived(1);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook?key=secret']);
    expect(await webhooks.get(id)).toMatchObject({
      enabled: true,
      state: 'FAILING',
      lastError: String(status),
      lastErrorAt: '2026-11-20T08:32:00Z',
      failingSince: '2026-11-20T08:32:00Z',
    });
  });

  it('disable an endpoint that is gone immediately, notify its organization, and wait for it', async () => {
    receiver.status(410);
    const { id } = await webhooks.create(receiver.url);
    await webhooks.raise();
    await arrived(1);
    expect(await webhooks.get(id)).toMatchObject({
      enabled: false,
      state: 'DISABLED',
      disabledReason: 'GONE',
      disabledAt: '2026-11-20T08:32:00Z',
    });
    const { body } = await webhooks.console
      .get(`${org.consolePath}/audit-log?action=webhook.disable`)
      .expect(200);
    expect(body.content).toEqual([
      expect.objectContaining({
        actor: { type: 'PLATFORM', id: null, name: 'webhook delivery', key: null },
        resourceType: 'webhook',
        resourceId: String(id),
        changes: expect.objectContaining({ disabledReason: { from: null, to: 'GONE' } }),
      }),
    ]);
    receiver.status(200);
    await webhooks.raise();
    await goTo(app.clock.now() + 2 * DAY_MS);
    expect(receiver.received).toHaveLength(1);
    await webhooks.patch(id, { enabled: true });
    await arrived(2);
    expect(new Set(receiver.ids).size).toBe(1);
    expect(await webhooks.get(id)).toMatchObject({
      state: 'ACTIVE',
      disabledReason: null,
      failingSince: null,
    });
  });

  it('disable an endpoint after five days of failures only', async () => {
    receiver.status(500);
    const { id } = await webhooks.create(receiver.url);
    const failAt = async (milliseconds: number) => {
      app.clock.set(new Date(Date.parse('2026-11-20T08:32:00Z') + milliseconds));
      await webhooks.raise();
      await eventually(async () => {
        await webhooks.settled();
        // The retry of an earlier event may be the last straw, after which there is no further attempt.
        const { state, lastErrorAt } = await webhooks.get(id);
        const now = app.clock.date().toISOString().replace('.000', '');
        expect(state === 'DISABLED' ? now : lastErrorAt).toBe(now);
      });
      return webhooks.get(id);
    };
    await failAt(0);
    for (const day of [1, 2, 3, 4]) expect(await failAt(day * DAY_MS)).toMatchObject({ state: 'FAILING' });
    expect(await failAt(5 * DAY_MS - 1_000)).toMatchObject({ state: 'FAILING', enabled: true });
    expect(await failAt(5 * DAY_MS)).toMatchObject({ state: 'DISABLED', disabledReason: 'FAILURES' });
    // Enabling it starts another five days.
    await webhooks.patch(id, { enabled: true });
    expect(await failAt(6 * DAY_MS)).toMatchObject({ state: 'FAILING', enabled: true });
  });

  it('never disable an endpoint for intermittent failures', async () => {
    const { id } = await webhooks.create(receiver.url);
    for (let day = 0; day < 20; day++) {
      receiver.status(day % 3 === 2 ? 200 : 500);
      app.clock.advance(DAY_MS);
      await webhooks.raise();
      await eventually(async () => {
        const { lastErrorAt, lastDeliveredAt } = await webhooks.get(id);
        expect([lastErrorAt, lastDeliveredAt]).toContain(app.clock.date().toISOString().replace('.000', ''));
      });
      await webhooks.settled();
    }
    expect(await webhooks.get(id)).toMatchObject({ enabled: true });
  });

  it('end with their endpoint, and with their organization', async () => {
    receiver.status(500);
    const one = await webhooks.create(receiver.at('/one'));
    await webhooks.create(receiver.at('/two'));
    await webhooks.raise();
    await arrived(2);
    await webhooks.console.delete(`${webhooks.path}/${one.id}`).expect(204);
    await webhooks.console.get(`${webhooks.path}/${one.id}/deliveries`).expect(404);
    await goTo(app.clock.now() + 6_000);
    await arrived(3);
    expect(receiver.received[2]?.path).toBe('/two');
    await webhooks.console.delete(org.consolePath).expect(204);
    await goTo(app.clock.now() + DAY_MS);
    await eventually(async () => {
      await app.get(OutboxHousekeeping).deleteOld();
      const left = await app.sql('SELECT 1 FROM webhook_deliveries WHERE organization_id = $1', [
        org.organizationId,
      ]);
      expect(left).toEqual([]);
    });
    expect(receiver.received).toHaveLength(3);
  });

  it('are taken over when the lease of a worker expires', async () => {
    const { id } = await webhooks.create(receiver.url);
    receiver.answer = () => undefined;
    await webhooks.raise();
    await eventually(async () => expect(receiver.ids).toHaveLength(1));
    // A renewed lease is not taken over.
    await app.get(DeliveriesProcessor).renew();
    await webhooks.sweep();
    // A worker that hangs renews nothing.
    const hanging = jest.spyOn(app.get(DeliveriesRepository), 'renew').mockResolvedValue();
    await app.sql(`UPDATE webhook_deliveries SET lease_until = now() - interval '1 second'`);
    receiver.status(204);
    await webhooks.sweep();
    await arrived(2);
    hanging.mockRestore();
    expect(receiver.received[1]?.raw).toBe(receiver.received[0]?.raw);
    await eventually(async () => expect((await webhooks.log(id))[0]).toMatchObject({ status: 'DELIVERED' }));
  });

  it('delete events about an erased person, and logged responses', async () => {
    receiver.status(500, {}, 'no such +821012345678');
    const { id } = await webhooks.create(receiver.url);
    const { organizationId } = org;
    const event = {
      name: 'contact.created',
      organizationId,
      data: { id: 42 },
      subject: 'contact:42',
    } as const;
    await app.get(Database).write((tx) => app.get(WebhookOutbox).add(tx, event));
    await webhooks.raise('contact.created', { id: 43 });
    await arrived(2);
    const kept = JSON.stringify(await app.sql('SELECT * FROM webhook_deliveries'));
    expect(kept).not.toContain('1012345678');
    await app.get(Database).write((tx) => app.get(WebhookOutbox).forget(tx, organizationId, 'contact:42'));
    expect(await webhooks.log(id)).toHaveLength(1);
    await goTo(app.clock.now() + 6_000);
    await arrived(3);
    expect(receiver.received[2]?.body.data).toEqual({ id: 43 });
  });

  it('are deleted after 30 days, redelivered ones 30 days after that', async () => {
    const { id } = await webhooks.create(receiver.url);
    await webhooks.raise('contact.created', {}, 2);
    await arrived(2);
    app.clock.advance(29 * DAY_MS);
    const [again = ''] = receiver.ids;
    await webhooks.console.post(`${org.consolePath}/deliveries/${again}/redeliver`).expect(202);
    await arrived(3);
    app.clock.advance(2 * DAY_MS);
    await app.get(OutboxHousekeeping).deleteOld();
    expect((await webhooks.log(id)).map(({ deliveryId }) => deliveryId)).toEqual([again]);
    app.clock.advance(28 * DAY_MS + 1);
    await app.get(OutboxHousekeeping).deleteOld();
    expect(await webhooks.log(id)).toEqual([]);
  });

  it('are in the metrics', async () => {
    receiver.status(500);
    await webhooks.create(receiver.url);
    await webhooks.raise();
    await arrived(1);
    app.clock.advance(65_000);
    await eventually(async () => {
      // A count is shared by the scrapes of ten seconds.
      app.clock.advance(10_000);
      const { text } = await consoleApi(app).get('/metrics').expect(200);
      expect(text).toMatch(/^waypost_webhook_attempts_total\{outcome="failed"\} [1-9]/m);
      expect(text).toMatch(/^waypost_webhook_first_attempt_seconds_count [1-9]/m);
      expect(text).toMatch(/^waypost_webhook_deliveries_waiting [1-9]/m);
      const [, seconds] = /^waypost_webhook_oldest_due_seconds ([\d.]+)$/m.exec(text) ?? [];
      expect(Number(seconds)).toBeGreaterThanOrEqual(59);
    });
  });
});

describe('webhooks of a single process without Redis', () => {
  it('are delivered immediately, and retried', async () => {
    const app = await TestApp.start({ redis: false });
    const receiver = await WebhookReceiver.start();
    try {
      const webhooks = new Webhooks(app, await createOrganization(app));
      await webhooks.create(receiver.url);
      receiver.status(500);
      await webhooks.raise();
      await eventually(async () => expect(receiver.received).toHaveLength(1));
      receiver.status(204);
      await webhooks.settled();
      app.clock.advance(6_000);
      await webhooks.sweep();
      await eventually(async () => expect(receiver.received).toHaveLength(2));
      expect(receiver.received[1]?.raw).toBe(receiver.received[0]?.raw);
    } finally {
      await receiver.close();
      await app.close();
    }
  });
});
