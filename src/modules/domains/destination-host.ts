import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Names that mean the reader's own machine or network wherever they are read. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/** Public by their range, yet answered by the machine's own cloud: Azure's metadata and DNS. */
const METADATA = new Set(['168.63.129.16']);

/** Ranges of IPv6 that ipaddr.js counts as public: IPv4-compatible, site-local (both given up, both still routed). */
const OLD_RANGES = ['::/96', 'fec0::/10'].map((cidr) => ipaddr.IPv6.parseCIDR(cidr));

/** The host of a parsed URL in the form in which hosts are compared: no brackets, no trailing dots. */
export function comparableHost(url: URL): string {
  return url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '');
}

/**
 * Why a host is no place on the internet; null when it may be one. The host comes from a parsed URL, so every
 * notation of an IPv4 address (decimal, hex, octal, short) has become the usual one.
 */
export function hostProblem(host: string): string | null {
  if (host === '') return 'must name a host';
  if (LOCAL_NAME.test(host)) return 'must not lead to a local host name';
  if (isIP(host) === 0) return null;
  return isPublic(ipaddr.process(host)) ? null : 'must not lead to a private, local or reserved address';
}

/** `process` has already turned an IPv4-mapped address into the IPv4 one. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || METADATA.has(address.toString())) return false;
  return address.kind() === 'ipv4' || !OLD_RANGES.some((range) => address.match(range));
}
