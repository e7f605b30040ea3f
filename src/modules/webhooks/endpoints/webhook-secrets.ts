import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookSecret } from './webhook-endpoint';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';
/** A replaced secret goes on signing for so long (docs/webhooks.md#secrets-and-their-rotation). */
const OVERLAP_MS = 24 * 3_600_000;
/** However often it is rotated within that time: so many signatures at most. */
const MAX_SECRETS = 4;

export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The secrets after a rotation: whoever still checks with an older one can go on for 24 hours since it was replaced.
 */
export function rotated(secrets: readonly WebhookSecret[], now: number): WebhookSecret[] {
  const replaced = living(secrets, now).map((secret) => ({
    ...secret,
    replacedAt: secret.replacedAt ?? now,
  }));
  return [{ value: makeSecret(), replacedAt: null }, ...replaced].slice(0, MAX_SECRETS);
}

/** The secrets after a promotion: the one in use alone. */
export function promoted(secrets: readonly WebhookSecret[]): WebhookSecret[] {
  return secrets.slice(0, 1);
}

/** When the last of the replaced secrets stops signing; null when none does. */
export function overlapUntil(secrets: readonly WebhookSecret[], now: number): Date | null {
  const [, newest] = living(secrets, now);
  return newest ? new Date((newest.replacedAt ?? 0) + OVERLAP_MS) : null;
}

/** What a receiver checks a delivery by. */
export interface Signed {
  /** delivery_id. */
  readonly id: string;
  /** When this attempt is made, in milliseconds since the epoch. */
  readonly at: number;
  /** The body, byte for byte. */
  readonly body: string;
}

/**
 * The headers of both schemes: `X-Signature-256` under the oldest secret that still signs, keyed with its text as it
 * was shown, and those of Standard Webhooks under every one of them, keyed with the bytes that the text stands for.
 */
export function signatureHeaders(
  { id, at, body }: Signed,
  secrets: readonly WebhookSecret[],
): Record<string, string> {
  const values = living(secrets, at).map(({ value }) => value);
  const timestamp = String(Math.floor(at / 1000));
  const signatures = values.map((value) => {
    const key = Buffer.from(value.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  const oldest = values.at(-1) ?? '';
  return {
    'X-Signature-256': `sha256=${createHmac('sha256', oldest).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** Those that sign: the one in use, and those that were replaced within 24 hours. */
function living(secrets: readonly WebhookSecret[], now: number): WebhookSecret[] {
  return secrets.filter(({ replacedAt }) => replacedAt === null || replacedAt + OVERLAP_MS > now);
}
