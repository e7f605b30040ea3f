import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import { normalizeIp } from '../../access/client-ip';

/** Reads the client's address as far as TRUST_PROXY allows. */
export function clientAddressReader(
  trustProxy: number | readonly string[],
): (request: IncomingMessage) => string {
  if (trustProxy === 0) return (request) => normalizeIp(request.socket.remoteAddress);
  const trust =
    typeof trustProxy === 'number'
      ? (_address: string, hop: number) => hop < trustProxy
      : proxyAddr.compile([...trustProxy]);
  return (request) => normalizeIp(proxyAddr(request, trust));
}
