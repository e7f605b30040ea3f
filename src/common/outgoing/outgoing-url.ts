import { OutgoingError, type OutgoingAnswer } from './outgoing';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that are dropped on a redirect to another host. */
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Null allows any port. */
type Ports = readonly number[] | null;

export interface Hop {
  url: URL;
  headers: Readonly<Record<string, string>>;
}

/**
 * Parses a URL and checks that it may be requested. The URL parser normalizes every notation of an IPv4 address
 * (decimal, hex, octal, short), so that the check at connect time sees the real address.
 * @throws OutgoingError
 */
export function parseTarget(text: string, ports: Ports, base?: string): URL {
  const url = URL.parse(text, base);
  if (!url) throw new OutgoingError('INVALID_URL', 'Not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutgoingError('INVALID_URL', 'Only http and https URLs can be called');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutgoingError('INVALID_URL', 'The URL contains a user name or password');
  }
  if (ports && url.port !== '' && !ports.includes(Number(url.port))) {
    throw new OutgoingError('NOT_ALLOWED', `Only these ports can be called: ${ports.join(', ')}`);
  }
  return url;
}

/** The next request after a redirect, or null if the response is not one. @throws OutgoingError if it is not allowed */
export function nextHop(answer: OutgoingAnswer, from: Hop, ports: Ports): Hop | null {
  const location = locationOf(answer);
  if (location === null) return null;
  const url = parseTarget(location, ports, from.url.href);
  if (url.origin === from.url.origin) return { url, headers: from.headers };
  const kept = Object.entries(from.headers).filter(([name]) => !SECRET_HEADERS.has(name.toLowerCase()));
  return { url, headers: Object.fromEntries(kept) };
}

/** The Location of a redirect, unresolved; null if the response is not one. */
export function locationOf({ status, headers }: OutgoingAnswer): string | null {
  return REDIRECTS.has(status) && typeof headers.location === 'string' ? headers.location : null;
}
