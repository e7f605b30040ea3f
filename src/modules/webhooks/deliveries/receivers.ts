import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Examples of receivers that verify a signature, by language. They are part of the documentation, and tests run them.
 */
export const RECEIVERS = [
  { language: 'Node', fence: 'js', file: 'verify.mjs' },
  { language: 'Python', fence: 'python', file: 'verify.py' },
  { language: 'Java', fence: 'java', file: 'WaypostWebhook.java' },
  { language: 'Go', fence: 'go', file: 'verify.go' },
  { language: 'PHP', fence: 'php', file: 'verify.php' },
] as const;
export type Receiver = (typeof RECEIVERS)[number];

export function receiverSource({ file }: Receiver): string {
  return readFileSync(join(__dirname, 'receivers', file), 'utf8');
}

/** A delivery, byte for byte, for authors of receivers (docs/webhooks.md#test-vector); no endpoint has its secret. */
export const TEST_VECTOR = {
  secret: 'whsec_d2F5cG9zdCB3ZWJob29rIHRlc3QgdmVjdG9yIGtleSE=',
  headers: {
    'X-Signature-256': 'sha256=74a332ea0af3de76acc815aff43ea95dda79c449bafebef2350934294ce7aff2',
    'webhook-id': '01a1f815-7c00-7c4e-9b1a-5f2d8e6c0b17',
    'webhook-timestamp': '1795163520',
    'webhook-signature': 'v1,n0XyV17RIuDyC0Tw21AvIDJvsprXaPICwSjRBG/j5E0=',
  },
  body:
    '{"event":"webhook.test","delivery_id":"01a1f815-7c00-7c4e-9b1a-5f2d8e6c0b17","organization_id":1,' +
    '"created_at":"2026-11-20T08:32:00Z","data":{"message":"Waypost reaches this endpoint ✓"}}',
} as const;
