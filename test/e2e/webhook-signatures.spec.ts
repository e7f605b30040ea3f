import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { createOrganization } from '../support/factories';
import { eventually } from '../support/eventually';
import { isGitHubStyle, oneByteOff } from '../support/signatures';
import { useTestApp } from '../support/test-app';
import { type ReceivedWebhook, WebhookReceiver } from '../support/webhook-receiver';
import { type TestWebhook, Webhooks } from '../support/webhooks';

const DAY_MS = 86_400_000;

describe('signatures of deliveries', () => {
  const app = useTestApp();
  let receiver: WebhookReceiver;
  let webhooks: Webhooks;
  let endpoint: TestWebhook;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    receiver.reset();
    webhooks = new Webhooks(app, await createOrganization(app));
    endpoint = await webhooks.create(receiver.url);
  });
  afterAll(() => receiver.close());

  /** Emits and delivers an event. */
  const deliver = async (): Promise<ReceivedWebhook> => {
    receiver.reset();
    await webhooks.raise('contact.created', { id: 1, name: '김민지', note: 'a/b "✓"' });
    await eventually(async () => expect(receiver.received).toHaveLength(1));
    const [hook] = receiver.received;
    if (!hook) throw new Error('Nothing was delivered');
    return hook;
  };
  const rotate = async (): Promise<string> => {
    const { body } = await webhooks.console.post(`${webhooks.path}/${endpoint.id}/rotate-secret`);
    return (body as { secret: string }).secret;
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

  it('verify with both secrets for a day after a rotation, then only with the new one', async () => {
    const old = endpoint.secret;
    const secret = await rotate();
    expect(secret).not.toBe(old);
    for (const after of [0, DAY_MS - 1000]) {
      app.clock.set('2026-11-20T08:32:00Z');
      app.clock.advance(after);
      const hook = await deliver();
      expect([isStandard(old, hook), isStandard(secret, hook)]).toEqual([true, true]);
      expect([await isGitHub(old, hook), await isGitHub(secret, hook)]).toEqual([true, false]);
    }
    app.clock.advance(1000);
    const hook = await deliver();
    expect([isStandard(old, hook), isStandard(secret, hook)]).toEqual([false, true]);
    expect([await isGitHub(old, hook), await isGitHub(secret, hook)]).toEqual([false, true]);
  });

  it('verify only with the new secret once it is promoted', async () => {
    const secret = await rotate();
    await webhooks.patch(endpoint.id, { promote: true });
    const hook = await deliver();
    expect([isStandard(endpoint.secret, hook), isStandard(secret, hook)]).toEqual([false, true]);
    expect([await isGitHub(endpoint.secret, hook), await isGitHub(secret, hook)]).toEqual([false, true]);
  });
});
