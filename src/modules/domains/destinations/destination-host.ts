import { isIP } from 'node:net';
import { isPublicAddress } from '../../../common/outgoing/public-address';

/** Names that mean the reader's own machine or network wherever they are read. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

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
  if (LOCAL_NAME.test(host)) return 'must not point to a local host name';
  if (isIP(host) === 0) return null;
  return isPublicAddress(host) ? null : 'must not point to a private, local or reserved address';
}
