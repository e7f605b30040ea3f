import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from 'proxy-addr';
import { normalizeIp } from '../../access/client-ip';
import type { ShortDomain } from './host';

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

/** Reads the client's address as far as TRUST_PROXY allows. */
export function clientAddressReader(
  trustProxy: number | readonly string[],
): (request: RequestHead) => string {
  if (trustProxy === 0) return (request) => normalizeIp(request.socket.remoteAddress);
  const trust =
    typeof trustProxy === 'number'
      ? (_address: string, hop: number) => hop < trustProxy
      : proxyAddr.compile([...trustProxy]);
  // It reads the header and the socket, and nothing else.
  return (request) => normalizeIp(proxyAddr(request as IncomingMessage, trust));
}

/** Tells whether the client came by https, to us or to a proxy that TRUST_PROXY believes. */
export function secureReader(trustProxy: number | readonly string[]): (request: IncomingMessage) => boolean {
  const trust = typeof trustProxy === 'number' ? () => trustProxy > 0 : proxyAddr.compile([...trustProxy]);
  return ({ headers, socket }) => {
    if ('encrypted' in socket) return true;
    const said = headers['x-forwarded-proto'];
    return said?.toString().toLowerCase() === 'https' && trust(socket.remoteAddress ?? '', 0);
  };
}
