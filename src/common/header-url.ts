/**
 * URLs of RFC 3986 characters only; a percent-escape in a host is excluded, because it stands for a letter
 * that needs Punycode.
 */
const AS_GIVEN = /^https?:\/\/[\w\-.~:@!$&'()*+,;=[\]]+(?:[/?#][\w\-.~:/?#[\]@!$&'()*+,;=%]*)?$/i;
const FOREIGN = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]+/gu;
const FOREIGN_BYTE = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g;

/**
 * A URL as strict clients accept it in a Location header: unchanged if it only has characters of RFC 3986,
 * else as the URL standard serializes it, with the few remaining characters escaped
 * (docs/concepts/redirects.md#the-location-header).
 */
export function headerUrl(url: string): string {
  if (AS_GIVEN.test(url)) return url;
  return (URL.parse(url)?.href ?? url).replace(FOREIGN, (text) => encodeURIComponent(text.toWellFormed()));
}

/**
 * A part of a request target (whose characters are bytes, because node:http decodes it as Latin-1), escaped
 * the same way.
 */
export function headerBytes(target: string): string {
  return target.replace(
    FOREIGN_BYTE,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
