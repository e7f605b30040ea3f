import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookSecret } from './webhook-endpoint';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';
/** How long a replaced secret still signs (docs/webhooks.md#secrets-and-their-rotation). */
const OVERLAP_MS = 24 * 3_600_000;
/** Limits the signatures of a delivery, however often the secret is rotated. */
const MAX_SECRETS = 4;

export function createSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Adds a new secret; replaced ones sign for another 24 hours. */
export function rotateSecrets(secrets: readonly WebhookSecret[], now: number): WebhookSecret[] {
  const replaced = signing(secrets, now).map((secret) => ({
    ...secret,
    replacedAt: secret.replacedAt ?? now,
  }));
  return [{ value: createSecret(), replacedAt: null }, ...replaced].slice(0, MAX_SECRETS);
}

/** Ends a rotation: only the current secret is kept. */
export function promoteSecret(secrets: readonly WebhookSecret[]): WebhookSecret[] {
  return secrets.slice(0, 1);
}

/** When the last of the replaced secrets stops signing; null if none signs. */
export function overlapUntil(secrets: readonly WebhookSecret[], now: number): Date | null {
  const [, newest] = signing(secrets, now);
  return newest ? new Date((newest.replacedAt ?? 0) + OVERLAP_MS) : null;
}

export interface Signed {
  /** `delivery_id`. */
  readonly id: string;
  /** Time of this attempt, in milliseconds since the epoch. */
  readonly at: number;
  /** The body, byte for byte. */
  readonly body: string;
}

/** Values of the signature headers of an attempt. */
export interface Signatures {
  /** `X-Signature-256`, with the oldest secret that still signs, whose displayed text is the key. */
  readonly ofBody: string;
  /** `webhook-signature` (Standard Webhooks), one for each secret, whose decoded bytes are the key. */
  readonly standard: string;
}

export function signaturesOf({ id, at, body }: Signed, secrets: readonly WebhookSecret[]): Signatures {
  const values = signing(secrets, at).map(({ value }) => value);
  const standard = values.map((value) => {
    const key = Buffer.from(value.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key)
      .update(`${id}.${timestampOf(at)}.${body}`)
      .digest('base64')}`;
  });
  const oldest = values.at(-1) ?? '';
  return {
    ofBody: `sha256=${createHmac('sha256', oldest).update(body).digest('hex')}`,
    standard: standard.join(' '),
  };
}

/** `webhook-timestamp` of an attempt: seconds since the epoch. */
export function timestampOf(at: number): string {
  return String(Math.floor(at / 1000));
}

/** The secrets that sign: the current one, and those replaced within the last 24 hours. */
function signing(secrets: readonly WebhookSecret[], now: number): WebhookSecret[] {
  return secrets.filter(({ replacedAt }) => replacedAt === null || replacedAt + OVERLAP_MS > now);
}
