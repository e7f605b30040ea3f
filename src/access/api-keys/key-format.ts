import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BASE62, randomBase62 } from '../../common/base62';

/** Prefix of a key of the Service API, or of an app's secret or publishable key. */
export type KeyPrefix = 'wp_live_' | 'wp_app_' | 'wp_pub_';

const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** Characters of a key that may be shown after its creation. */
const PREFIX_LENGTH = 12;

/**
 * Generates a key: prefix, 32 random base62 characters, 6 characters of CRC32
 * (docs/concepts/access.md#api-keys).
 */
export function makeKey(prefix: KeyPrefix): string {
  const body = prefix + randomBase62(RANDOM_LENGTH);
  return body + checksum(body);
}

/** Checks prefix and checksum, so that typos and guesses cost no lookup. */
export function isKey(text: string, prefix: KeyPrefix): boolean {
  if (text.length !== prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH || !text.startsWith(prefix))
    return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return /^[0-9A-Za-z]+$/.test(body.slice(prefix.length)) && checksum(body) === text.slice(-CHECKSUM_LENGTH);
}

export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

export function displayPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
