import { toASCII } from 'tr46';

/** As the URL standard has it. */
const RULES = { checkBidi: true, checkJoiners: true };

/**
 * A host name in lower case and ASCII: `Bücher.example` is `xn--bcher-kva.example`. Versions of Node differ in which
 * names their URL parser takes, this does not.
 * @returns null for what no name can be, such as a label whose Punycode stands for nothing
 */
export function asciiHost(name: string): string | null {
  return toASCII(name, RULES);
}

/** Whether a text is an absolute URL whose host can be one. */
export function isUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url) return false;
  const { hostname } = url;
  return !hostname.includes('xn--') || asciiHost(hostname) === hostname;
}
