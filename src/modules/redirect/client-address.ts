import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import { normalizeIp } from '../../access/client-ip';
import type { RequestHead } from './redirect-request';

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
