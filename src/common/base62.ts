import { randomBytes } from 'node:crypto';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomBase62(length: number): string {
  return randomText(length, BASE62);
}

/**
 * Random text of these characters, at most 256. Bytes beyond the last multiple of their number are rejected: modulo would
 * favour some characters.
 */
export function randomText(length: number, characters: string): string {
  const end = 256 - (256 % characters.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(2 * length)) {
      if (byte < end && text.length < length) text += characters.charAt(byte % characters.length);
    }
  }
  return text;
}
