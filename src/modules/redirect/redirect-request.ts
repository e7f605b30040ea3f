import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ShortDomain } from './short-domain';

type HeaderName =
  'host' | 'user-agent' | 'referer' | 'purpose' | 'sec-purpose' | 'x-forwarded-for' | 'cookie';

/** The part of a request that redirects read. */
export type RequestHead = Pick<IncomingMessage, 'url'> & {
  socket: Pick<Socket, 'remoteAddress'>;
  headers: { [name in HeaderName]?: IncomingHttpHeaders[name] };
};

/** One request for a link or campaign, as the listener has read it. */
export interface RedirectRequest {
  request: RequestHead;
  /** HEAD: answered like GET, without a body, and never counted. */
  head: boolean;
  /** Raw query of the request, without the question mark. */
  query: string;
  /** Of `/c/<alias>/<trackerAlias>`; null for links. */
  tracker: string | null;
}

/** The same, where it has come in. */
export interface DomainRequest extends RedirectRequest {
  domain: ShortDomain;
}

/** Whether it is a visit: HEAD is not, nor is a browser that fetches ahead, as nobody has clicked yet. */
export function isVisit({ head, request: { headers } }: RedirectRequest): boolean {
  if (head) return false;
  const purpose = headers['sec-purpose'] ?? headers.purpose;
  return typeof purpose !== 'string' || !purpose.toLowerCase().includes('prefetch');
}
