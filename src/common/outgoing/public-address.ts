import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public addresses that lead to services of the machine's own cloud: Azure's metadata and DNS. */
const METADATA = new Set(['168.63.129.16']);

/** The IPv6 range assigned to the internet; all others are reserved, deprecated or private. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is public: not private, loopback, link-local, multicast, carrier-grade NAT, NAT64,
 * tunnelled, documentation, or a cloud's metadata. An IPv4-mapped IPv6 address counts as its IPv4 address.
 * @param text an address that `isIP` accepts; anything else is not public
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || METADATA.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}
