/**
 * URLs by the grammar of RFC 3986, and with brackets in query and fragment, which all clients accept. Percent-escapes
 * in the host are excluded, because they stand for letters that need Punycode.
 */
const AS_GIVEN =
  /^https?:\/\/[\w\-.~:@!$&'()*+,;=[\]]+(?:\/[\w\-.~:/@!$&'()*+,;=%]*)?(?:\?[\w\-.~:/?[\]@!$&'()*+,;=%]*)?(?:#[\w\-.~:/?[\]@!$&'()*+,;=%]*)?$/i;
const FOREIGN = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]+/gu;
const FOREIGN_BYTE = /[^\w\-.~:/?[\]@!$&'()*+,;=%]/g;
const PARTS = /^([^/?#]*\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(?:#(.*))?$/s;

/**
 * A URL as strict clients accept it in a Location header: unchanged if it matches the grammar of RFC 3986; with
 * misplaced characters, these are escaped; with other characters, the serialization of the URL standard
 * (docs/concepts/redirects.md#the-location-header).
 */
export function headerUrl(url: string): string {
  if (AS_GIVEN.test(url)) return url;
  const given = placed(url);
  if (AS_GIVEN.test(given)) return given;
  const written = URL.parse(url)?.href ?? url;
  return placed(written.replace(FOREIGN, (text) => encodeURIComponent(text.toWellFormed())));
}

/** Escapes brackets in the path, and a second number sign. */
function placed(url: string): string {
  const [, origin = '', path = '', query = '', fragment] = PARTS.exec(url) ?? [];
  const end = fragment === undefined ? '' : `#${fragment.replaceAll('#', '%23')}`;
  return origin + path.replaceAll('[', '%5B').replaceAll(']', '%5D') + query + end;
}

/** Escapes a part of a request target the same way; its characters are bytes, as node:http decodes it as Latin-1. */
export function headerBytes(target: string): string {
  return target.replace(
    FOREIGN_BYTE,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
