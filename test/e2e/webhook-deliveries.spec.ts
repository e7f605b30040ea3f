import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization, userOf } from '../support/factories';
import { isGitHubStyle, oneByteOff } from '../support/signatures';
import { useTestApp } from '../support/test-app';
import { type ReceivedWebhook, WebhookReceiver } from '../support/webhook-receiver';
import { type TestWebhook, Webhooks } from '../support/webhooks';

const HOUR_MS = 3_600_000;
const NO_DELIVERY = '0197a3c1-5b7e-7c4d-9a2f-3e5d6c7b8a90';

interface Detailed {
  body: string | null;
  attempts: { statusCode: number | null; request: { url: string; headers: Record<string, string> } | null }[];
  [field: string]: unknown;
}

describe('webhook deliveries with their requests', () => {
  const app = useTestApp();
  let receiver: WebhookReceiver;
  let org: TestOrganization;
  let webhooks: Webhooks;
  let base: string;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    await app.sql('DELETE FROM webhook_deliveries');
    receiver.reset();
    org = await createOrganization(app);
    webhooks = new Webhooks(app, org);
    base = `/api/v1/console/organizations/${org.organizationId}`;
  });
  afterAll(() => receiver.close());

  const arrived = (count: number) =>
    eventually(async () => expect(receiver.ids).toHaveLength(count)).then(() => webhooks.settled());
  const get = (id: string) => webhooks.console.get(`${base}/deliveries/${id}`);
  const detailed = async (id: string) => (await get(id).expect(200)).body as Detailed;

  it('shows each request as it arrived, beside the answer, also after URL and secret have changed', async () => {
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

  it('shows attempts without an answer', async () => {
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

  it('shows no body once the event has been deleted, and nothing of a deleted endpoint', async () => {
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

  it('are shown to admins of their organization only', async () => {
    await webhooks.create(receiver.url);
    await webhooks.raise();
    await arrived(1);
    const [delivery = ''] = receiver.ids;
    const editor = await userOf(app, org, 'EDITOR');
    const refused = await editor.get(`${base}/deliveries/${delivery}`).expect(403);
    expect(refused.body).toMatchObject({ code: 'ROLE_REQUIRED', role: 'ADMIN' });
    const other = await createOrganization(app);
    await webhooks.console
      .get(`/api/v1/console/organizations/${other.organizationId}/deliveries/${delivery}`)
      .expect(404);
  });

  it('are counted for the last 24 hours by endpoint', async () => {
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

  it('are counted up to the newest 10,000 of each endpoint', async () => {
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
