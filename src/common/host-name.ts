import { toASCII } from 'tr46';

/** Options of domainToASCII in the URL standard. */
const RULES = { checkBidi: true, checkJoiners: true };

/**
 * A host name in lower case and ASCII: `Bücher.example` becomes `xn--bcher-kva.example`. Independent of the
 * Node version, unlike Node's URL parser.
 * @returns null for an invalid name, such as a label with invalid Punycode
 */
export function asciiHost(name: string): string | null {
  return toASCII(name, RULES);
}

/** Whether a text is an absolute URL with a valid host. */
export function isUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url) return false;
  const { hostname } = url;
  return !hostname.includes('xn--') || asciiHost(hostname) === hostname;
}
