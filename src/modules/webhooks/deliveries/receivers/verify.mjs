import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether a request comes from Waypost and is no older than five minutes.
 * `headers` as node:http has them, `body` the bytes as they came: parse them afterwards, not before.
 */
export function isGenuine(secret, headers, body, now = Date.now() / 1000) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - timestamp) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${mac}`);
  // Two signatures while a secret is being rotated.
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(each);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
