import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Stands for an invalid address from a proxy; matches no allow-list. */
const UNKNOWN = 'unknown';

/**
 * Normalizes a client address: IPv4-mapped IPv6 to IPv4, IPv6 compressed, without a zone.
 * @param ip Express's `request.ip`, which follows TRUST_PROXY
 */
export function normalizeIp(ip: string | undefined): string {
  const address = ip?.replace(/%.*$/, '') ?? '';
  const family = isIP(address);
  if (family === 4) return address;
  return family === 6 ? ipaddr.process(address).toString() : UNKNOWN;
}

/**
 * The part of an address that identifies a household: all of IPv4, the first 64 bits of IPv6.
 * @param ip normalized by `normalizeIp`
 */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  return ipaddr.IPv6.parse(ip)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
