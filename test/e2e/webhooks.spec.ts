import { createOrganization, type TestOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { TestApp } from '../support/test-app';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

describe('webhooks', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let org: TestOrganization;
  let webhooks: Webhooks;

  beforeAll(async () => {
    app = await TestApp.start();
    receiver = await WebhookReceiver.start();
  });
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    receiver.reset();
    org = await createOrganization(app);
    webhooks = new Webhooks(app, org);
  });
  afterAll(async () => {
    await receiver.close();
    await app.close();
  });

  it('tell of a change in the envelope of doc 2, signed', async () => {
    const { id } = await webhooks.create(receiver.url, ['unsubscribe.*']);
    const body = { value: '+82 10-2345-6789', source: 'customer center' };
    const answer = await org.api.post('/api/v1/service/messaging/unsubscribes').send(body).expect(201);
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
});
