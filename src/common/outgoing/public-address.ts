import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by their range, yet answered by the machine's own cloud: Azure's metadata and DNS. */
const METADATA = new Set(['168.63.129.16']);

/** What is given out for the internet; all else of IPv6 is reserved, given up or somebody's own. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is one of the internet: not private, loopback, link-local, multicast, carrier-grade NAT,
 * NAT64, tunnelled, documentation, or a cloud's metadata. An IPv4-mapped IPv6 address counts as the IPv4 one.
 * @param text as `isIP` takes it; anything else is not public
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || METADATA.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}
