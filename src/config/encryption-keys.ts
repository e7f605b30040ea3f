/** A key for data at rest; the id is part of every value encrypted with it. */
export interface EncryptionKey {
  readonly id: string;
  /** 32 bytes, for AES-256. */
  readonly key: Uint8Array;
}

const KEY_BYTES = 32;
const ENTRY = /^([A-Za-z0-9_-]{1,16}):([A-Za-z0-9+/_-]{43}=?)$/;

/** An invalid list of keys. The message contains a position, but never a key. */
export class BadEncryptionKeys extends Error {}

/**
 * Parses `k2:<base64 of 32 bytes>,k1:<base64 of 32 bytes>`: the first key encrypts, all keys decrypt.
 * @throws BadEncryptionKeys
 */
export function parseEncryptionKeys(text: string): EncryptionKey[] {
  const keys = text.split(',').map((entry, index) => {
    const [, id, base64 = ''] = ENTRY.exec(entry.trim()) ?? [];
    const key = Buffer.from(base64, 'base64');
    if (id === undefined || key.length !== KEY_BYTES) {
      throw new BadEncryptionKeys(
        `entry ${index + 1} must be <id>:<base64 of ${KEY_BYTES} bytes>, the id of 1 to 16 letters, digits, "-" and "_"`,
      );
    }
    return { id, key };
  });
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new BadEncryptionKeys('every key needs its own id');
  }
  return keys;
}
