import { MalformedJson } from '../errors/errors';

/** Nesting deeper than any valid request, but shallow enough to be harmless. */
const MAX_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Character codes of `{` and `}`. `[` and `]` differ from them in one bit, which is set before comparing. */
const OPENING = 0x7b;
const CLOSING = 0x7d;
const CASE_BIT = 0x20;

/**
 * Parses JSON from UTF-8 bytes.
 * @throws MalformedJson if it is invalid or nested too deeply, which is checked before parsing
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (depthExceeds(bytes, MAX_DEPTH)) {
    throw new MalformedJson(`The body is nested deeper than the allowed ${MAX_DEPTH} levels`);
  }
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(text);
  } catch {
    // Without a cause, because the message of JSON.parse quotes the body.
    throw new MalformedJson();
  }
}

/** @throws MalformedJson if the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedJson('The body is not valid UTF-8');
  }
}

/** Whether brackets outside strings are nested too deeply. Works on bytes, because JSON's syntax is ASCII. */
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
