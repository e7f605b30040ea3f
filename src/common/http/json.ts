import { MalformedJson } from '../errors/errors';

/** Deeper than anything that the API takes, shallower than anything that would hurt. */
const MAX_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` differ in one bit, which these carry. */
const OPENING = 0x7b;
const CLOSING = 0x7d;
const CASE_BIT = 0x20;

/**
 * Reads JSON from UTF-8 bytes.
 * @throws MalformedJson when it is neither, or nested too deeply; that is found before anything recurses into it
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (depthExceeds(bytes, MAX_DEPTH)) {
    throw new MalformedJson(
      `The body is nested deeper than the depth of ${MAX_DEPTH} levels that is allowed`,
    );
  }
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(text);
  } catch {
    // What JSON.parse says quotes the body.
    throw new MalformedJson();
  }
}

/** @throws MalformedJson when the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedJson('The body is not valid UTF-8');
  }
}

/** Counts brackets outside strings; all of JSON's own characters are single bytes in UTF-8. */
function depthExceeds(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) {
      inString = true;
    } else if ((byte | CASE_BIT) === OPENING) {
      if (++depth > limit) return true;
    } else if ((byte | CASE_BIT) === CLOSING) {
      depth--;
    }
  }
  return false;
}
