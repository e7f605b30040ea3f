import { isIP } from 'node:net';
import { isPublicAddress } from '../../../common/outgoing/public-address';

/** Names that always resolve to the reader's own machine or network. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/** The host of a parsed URL, normalized for comparison: without brackets and trailing dots. */
export function comparableHost(url: URL): string {
  let host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  while (host.endsWith('.')) host = host.slice(0, -1);
  return host;
}

/**
 * Why a host is not public; null if it may be. Expects the host of a parsed URL, in which every notation of an IPv4
 * address (decimal, hex, octal, short) is normalized.
 */
export function hostProblem(host: string): string | null {
  if (host === '') return 'must name a host';
  if (LOCAL_NAME.test(host)) return 'must not point to a local host name';
  if (isIP(host) === 0) return null;
  return isPublicAddress(host) ? null : 'must not point to a private, local or reserved address';
}
