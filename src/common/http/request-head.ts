import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Header lines of a request, of which browsers send about 20 and proxies add a few. */
export const MAX_HEADER_LINES = 200;
/** Headers that must not be repeated: node:http keeps the first value, and a proxy may use the last. */
const ONCE = new Set(['host', 'authorization', 'content-type']);
const ONCE_LENGTHS = new Set([...ONCE].map((name) => name.length));
/** A request target with scheme and host, as sent to proxies (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]+)/i;

/**
 * Passes on requests with an unambiguous head, with an absolute target split into path and Host; rejects the others.
 */
export function readableHeads(next: RequestListener): RequestListener {
  return (request, response) => {
    const problem = problemOf(request);
    if (problem === null) next(request, response);
    else refuse(response, ...problem);
  };
}

function problemOf(request: IncomingMessage): [status: number, message: string] | null {
  const { rawHeaders, url = '' } = request;
  if (rawHeaders.length > 2 * MAX_HEADER_LINES) return [431, `More than ${MAX_HEADER_LINES} header lines`];
  const twice = sentTwice(rawHeaders);
  if (twice !== null) return [400, `More than one ${twice} header`];
  if (url.startsWith('/') || (url === '*' && request.method === 'OPTIONS')) return null;
  const [start, host = ''] = ABSOLUTE.exec(url) ?? [];
  if (start === undefined || host.includes('@')) return [400, 'The request target must be a path'];
  const rest = url.slice(start.length);
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = host;
  return null;
}

function sentTwice(rawHeaders: readonly string[]): string | null {
  let seen: string[] | null = null;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? '';
    if (!ONCE_LENGTHS.has(raw.length)) continue;
    const name = raw.toLowerCase();
    if (!ONCE.has(name)) continue;
    if (seen?.includes(name)) return name;
    (seen ??= []).push(name);
  }
  return null;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const headers = { 'Content-Type': 'text/plain', 'Content-Length': message.length, Connection: 'close' };
  response.writeHead(status, headers).end(message);
}
