import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether a request comes from Waypost and is no older than five minutes.
 * `headers` as in node:http; `body` is the raw bytes of the request: verify before you parse.
 */
export function isGenuine(secret, headers, body, now = Date.now() / 1000) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - timestamp) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${mac}`);
  // There are two signatures during a rotation.
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(each);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
