/** The characters of RFC 3986; an escape in a host stands for a letter that the host has in Punycode. */
const AS_GIVEN = /^https?:\/\/[\w\-.~:@!$&'()*+,;=[\]]+(?:[/?#][\w\-.~:/?#[\]@!$&'()*+,;=%]*)?$/i;
const FOREIGN = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]+/gu;
const FOREIGN_BYTE = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g;

/**
 * An address as strict clients take it in a Location header: byte for byte where it has the characters of RFC 3986
 * only, else as the URL standard serializes it, with the few characters escaped that this leaves
 * (docs/concepts/redirects.md#the-location-header).
 */
export function headerUrl(url: string): string {
  if (AS_GIVEN.test(url)) return url;
  return (URL.parse(url)?.href ?? url).replace(FOREIGN, (text) => encodeURIComponent(text.toWellFormed()));
}

/** A part of a request's target, whose letters are bytes (node:http reads it as Latin-1), with the same characters. */
export function headerBytes(target: string): string {
  return target.replace(
    FOREIGN_BYTE,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
