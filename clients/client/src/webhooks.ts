import { bytesOf, isSignatureOf, keyOf } from './hmac';
import type { WebhookEvent } from './schema.gen';

type HeaderValue = string | readonly string[] | null | undefined;
/** Headers of `fetch`, Node, Express or Hono. */
export type WebhookHeaders = { get(name: string): HeaderValue } | Readonly<Record<string, HeaderValue>>;

export interface VerifyOptions {
  /** Seconds that a request may be old, or ahead; default: 300. */
  tolerance?: number | undefined;
  /**
   * The signature that counts; default: `webhook-signature`. `X-Signature-256` has no time, so old requests that are
   * sent again pass.
   */
  signature?: 'webhook-signature' | 'X-Signature-256' | undefined;
  /** Milliseconds since 1970; default: now. */
  now?: number | undefined;
}

const REASONS = {
  HEADERS_MISSING: 'The request has no signature of a webhook',
  TIMESTAMP_OUT_OF_TOLERANCE: 'The request is too old, or ahead of time',
  SIGNATURE_WRONG: 'No signature is right for this body and secret',
};

/** A request that must not be trusted. Answer it with 400. */
export class WaypostWebhookError extends Error {
  override readonly name = 'WaypostWebhookError';

  constructor(readonly code: keyof typeof REASONS) {
    super(REASONS[code]);
  }
}

/**
 * Checks that a request comes from Waypost, and returns its event. Ignore events with a `delivery_id` that you have
 * seen: deliveries are at least once.
 * @param body the bytes or the text as they arrived: verify before you parse
 * @param secret `whsec_…`, or several of which one must be right
 * @throws WaypostWebhookError
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = 300, signature = 'webhook-signature', now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOfBody(body);
  const read = (name: string) => headerOf(headers, name);
  const given = read(signature);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (given === undefined) throw new WaypostWebhookError('HEADERS_MISSING');

  let signed = bytes;
  if (signature === 'webhook-signature') {
    const [id, timestamp] = [read('webhook-id'), read('webhook-timestamp')];
    if (id === undefined || timestamp === undefined) throw new WaypostWebhookError('HEADERS_MISSING');
    // NaN is outside every tolerance.
    const age = /^\d{1,12}$/.test(timestamp) ? Math.abs(now / 1000 - Number(timestamp)) : Infinity;
    if (age > tolerance) throw new WaypostWebhookError('TIMESTAMP_OUT_OF_TOLERANCE');
    signed = joined(bytesOf(`${id}.${timestamp}.`), bytes);
  }
  for (const each of secrets) {
    const isStandard = signature === 'webhook-signature';
    const key = await keyOf(isStandard ? fromBase64(each.replace(/^whsec_/, '')) : bytesOf(each));
    const candidates = isStandard
      ? given.split(' ').flatMap((text) => (text.startsWith('v1,') ? [fromBase64(text.slice(3))] : []))
      : given.startsWith('sha256=')
        ? [fromHex(given.slice(7))]
        : [];
    for (const candidate of candidates) {
      if (await isSignatureOf(key, candidate, signed)) {
        return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
      }
    }
  }
  throw new WaypostWebhookError('SIGNATURE_WRONG');
}

function bytesOfBody(body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return bytesOf(body);
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return new Uint8Array(body);
  throw new TypeError('body must be the text or the bytes of the request, not what was parsed from it');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  return (typeof value === 'string' ? value : value?.[0]) ?? undefined;
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): HeaderValue } {
  return typeof headers.get === 'function';
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** Empty, which matches no signature, if the text is not Base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const pairs = /^([0-9a-f]{2})*$/.test(text) ? (text.match(/../g) ?? []) : [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}
