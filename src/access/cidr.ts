import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type AddressRange = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * Parses an IPv4 or IPv6 address or CIDR; IPv4-mapped IPv6 becomes IPv4.
 * @returns null if it is invalid
 */
export function parseRange(text: string): AddressRange | null {
  const [head = '', tail, ...rest] = text.split('/');
  const family = isIP(head);
  if (family === 0 || head.includes('%') || rest.length > 0) return null;
  const width = family === 4 ? 32 : 128;
  if (tail !== undefined && (!/^(0|[1-9]\d{0,2})$/.test(tail) || Number(tail) > width)) return null;
  const bits = tail === undefined ? width : Number(tail);
  const address = ipaddr.parse(head);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96) {
    return [address.toIPv4Address(), bits - 96];
  }
  return [address, bits];
}

/** The canonical form of a range: host bits are zero, and a single address has no prefix length. */
export function formatRange([address, bits]: AddressRange): string {
  const bytes = address.toByteArray();
  const masked = bytes.map((byte, index) => byte & ~(0xff >> Math.min(8, Math.max(0, bits - 8 * index))));
  const network = ipaddr.fromByteArray(masked).toString();
  return bits === 8 * bytes.length ? network : `${network}/${bits}`;
}

/** Whether an address, normalized by `normalizeIp`, is in one of the ranges. */
export function inRanges(ip: string, ranges: readonly AddressRange[]): boolean {
  if (isIP(ip) === 0) return false;
  const address = ipaddr.parse(ip);
  return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}
