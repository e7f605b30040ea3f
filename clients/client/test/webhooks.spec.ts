import { createHmac } from 'node:crypto';
import { signIdentity, verifyWebhook, WaypostWebhookError } from '@waypost/client';
import { eventually } from '../../../test/support/eventually';
import { createOrganization } from '../../../test/support/factories';
import { useTestApp } from '../../../test/support/test-app';
import { type ReceivedWebhook, WebhookReceiver } from '../../../test/support/webhook-receiver';
import { type TestWebhook, Webhooks } from '../../../test/support/webhooks';

const TIME = '2026-11-20T08:32:00Z';

describe('verifyWebhook', () => {
  const app = useTestApp();
  const now = Date.parse(TIME);
  let receiver: WebhookReceiver;
  let webhooks: Webhooks;
  let endpoint: TestWebhook;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  beforeEach(async () => {
    app.clock.set(TIME);
    receiver.reset();
    webhooks = new Webhooks(app, await createOrganization(app));
    endpoint = await webhooks.create(receiver.url);
  });
  afterAll(() => receiver.close());

  const deliver = async (): Promise<ReceivedWebhook> => {
    receiver.reset();
    await webhooks.raise('contact.created', { id: 1, name: '김민지', note: 'a/b "✓"' });
    await eventually(async () => expect(receiver.received).toHaveLength(1));
    const [hook] = receiver.received;
    if (!hook) throw new Error('Nothing was delivered');
    return hook;
  };
  const codeOf = async (result: Promise<unknown>): Promise<string> => {
    const error: unknown = await result.catch((reason: unknown) => reason);
    return error instanceof WaypostWebhookError ? error.code : 'none';
  };

  it('returns the event of a genuine delivery, from any form of body and headers', async () => {
    const { raw, headers, body } = await deliver();
    const { secret } = endpoint;
    for (const form of [raw, Buffer.from(raw), new TextEncoder().encode(raw).buffer]) {
      expect(await verifyWebhook(form, headers, secret, { now })).toEqual(body);
    }
    expect(await verifyWebhook(raw, new Headers(headers), secret, { now })).toEqual(body);
    const others = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]] as const);
    expect(await verifyWebhook(raw, Object.fromEntries(others), secret, { now })).toEqual(body);
    const event = await verifyWebhook(raw, headers, secret, { now, signature: 'X-Signature-256' });
    expect(event.event === 'contact.created' && event.data.name).toBe('김민지');
  });

  it('refuses any change, another secret, and no signature', async () => {
    const { raw, headers } = await deliver();
    const { secret } = endpoint;
    const changed = raw.replace('"id":1', '"id":2');
    const refused = (code: string, body: string, given: Record<string, string | undefined>, key = secret) =>
      expect(codeOf(verifyWebhook(body, given, key, { now }))).resolves.toBe(code);
    await refused('SIGNATURE_WRONG', changed, headers);
    await refused('SIGNATURE_WRONG', `${raw} `, headers);
    await refused('SIGNATURE_WRONG', raw, { ...headers, 'webhook-id': 'another' });
    await refused('SIGNATURE_WRONG', raw, { ...headers, 'webhook-timestamp': String(now / 1000 + 1) });
    for (const text of ['', 'v1,', 'v1,AAAA', 'v1,§', 'v2,AAAA', headers['webhook-signature']?.slice(3)]) {
      await refused('SIGNATURE_WRONG', raw, { ...headers, 'webhook-signature': text ?? '' });
    }
    await refused('SIGNATURE_WRONG', raw, headers, `whsec_${Buffer.alloc(32).toString('base64')}`);
    for (const name of ['webhook-signature', 'webhook-id', 'webhook-timestamp']) {
      await refused('HEADERS_MISSING', raw, { ...headers, [name]: undefined });
    }

    const signature = 'X-Signature-256';
    for (const text of [
      'sha256=',
      'sha256=00',
      'sha256=zz',
      'sha1=00',
      headers['x-signature-256']?.slice(7),
    ]) {
      const given = { ...headers, 'x-signature-256': text ?? '' };
      const result = verifyWebhook(raw, given, secret, { now, signature });
      expect(await codeOf(result)).toBe('SIGNATURE_WRONG');
    }
    const other = verifyWebhook(changed, headers, secret, { signature });
    expect(await codeOf(other)).toBe('SIGNATURE_WRONG');
    // An old request cannot pass as one of the other scheme, which has no time.
    const { 'webhook-signature': _, ...rest } = headers;
    await refused('HEADERS_MISSING', raw, rest);
  });

  it('refuses old requests, and those ahead of time, beyond the tolerance', async () => {
    const { raw, headers } = await deliver();
    const after = (seconds: number, tolerance?: number) =>
      codeOf(verifyWebhook(raw, headers, endpoint.secret, { now: now + seconds * 1000, tolerance }));
    expect(await after(300)).toBe('none');
    expect(await after(301)).toBe('TIMESTAMP_OUT_OF_TOLERANCE');
    expect(await after(-301)).toBe('TIMESTAMP_OUT_OF_TOLERANCE');
    expect(await after(3600, 7200)).toBe('none');
    const odd = { ...headers, 'webhook-timestamp': 'soon' };
    expect(await codeOf(verifyWebhook(raw, odd, endpoint.secret, { now }))).toBe(
      'TIMESTAMP_OUT_OF_TOLERANCE',
    );
  });

  it('accepts either secret during a rotation, and several secrets', async () => {
    const { body: rotated } = await webhooks.console.post(`${webhooks.path}/${endpoint.id}/rotate-secret`);
    const secret = (rotated as { secret: string }).secret;
    const { raw, headers, body } = await deliver();
    expect(headers['webhook-signature']).toContain(' ');
    expect(await verifyWebhook(raw, headers, endpoint.secret, { now })).toEqual(body);
    expect(await verifyWebhook(raw, headers, secret, { now })).toEqual(body);
    await webhooks.patch(endpoint.id, { promote: true });
    const later = await deliver();
    const old = verifyWebhook(later.raw, later.headers, endpoint.secret, { now });
    expect(await codeOf(old)).toBe('SIGNATURE_WRONG');
    const both = [endpoint.secret, secret];
    expect(await verifyWebhook(later.raw, later.headers, both, { now })).toEqual(later.body);
  });

  it('asks for the raw body', async () => {
    const { headers, body } = await deliver();
    await expect(verifyWebhook(body as never, headers, endpoint.secret, { now })).rejects.toThrow(
      'not what was parsed from it',
    );
  });
});

describe('signIdentity', () => {
  it('is the hex HMAC-SHA256 of the member id with the key of the app', async () => {
    const expected = createHmac('sha256', 'wp_app_secret').update('member-김-1').digest('hex');
    expect(await signIdentity('member-김-1', 'wp_app_secret')).toBe(expected);
  });
});
