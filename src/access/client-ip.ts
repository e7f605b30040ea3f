import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What stands for an address that no proxy should have sent; it matches no allow-list. */
const UNKNOWN = 'unknown';

/**
 * The client's address in one form: IPv4-mapped IPv6 as IPv4, IPv6 compressed, no zone.
 * @param ip Express's `request.ip`, which follows TRUST_PROXY
 */
export function normalizeIp(ip: string | undefined): string {
  const address = ip?.replace(/%.*$/, '') ?? '';
  const family = isIP(address);
  if (family === 4) return address;
  return family === 6 ? ipaddr.process(address).toString() : UNKNOWN;
}

/**
 * What of an address stays when one household gives itself another: all of IPv4, the first 64 bits of IPv6.
 * @param ip as `normalizeIp` writes it
 */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  return ipaddr.IPv6.parse(ip)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
