const encoder = new TextEncoder();
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

export function keyOf(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, ALGORITHM, false, ['sign', 'verify']);
}

/** Compares in constant time. */
export function isSignatureOf(
  key: CryptoKey,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  return crypto.subtle.verify('HMAC', key, signature, data);
}

/**
 * The value of `X-Identity-Signature`, with which an app or a page may speak for a member. Make it on your server when
 * the member signs in.
 * @param externalUserId your id of the member
 * @param appKey the app's secret key
 */
export async function signIdentity(externalUserId: string, appKey: string): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await keyOf(bytesOf(appKey)), bytesOf(externalUserId));
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
