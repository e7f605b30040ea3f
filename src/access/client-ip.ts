import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** Stands for an invalid address from a proxy; matches no allow-list. */
const UNKNOWN = 'unknown';

/** An address with a port, in brackets if it is IPv6: the forms in which proxies write it. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/;

/**
 * A client address in any form in which a proxy, a socket or a server states it: without port, brackets, quotes, zone
 * and white space, IPv4-mapped IPv6 as IPv4, IPv6 compressed. Null for all other text.
 */
export function addressIn(text: string): string | null {
  if (isIP(text) === 4) return text;
  const bare = text.trim().replace(/^for=/i, '').replaceAll('"', '').trim();
  const [, inBrackets, beforePort] = WITH_PORT.exec(bare) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? bare).split('%', 1);
  const family = isIP(address);
  if (family === 4) return address;
  return family === 6 ? ipaddr.process(address).toString() : null;
}

/** @param ip usually `request.ip` of Express, which respects TRUST_PROXY */
export function normalizeIp(ip: string | undefined): string {
  return addressIn(ip ?? '') ?? UNKNOWN;
}

/** Tells whether a hop may state the address before it: the caller of the service is hop 0. */
export type Trust = (address: string, hop: number) => boolean;

/** The hops that TRUST_PROXY trusts. */
export function trustOf(trustProxy: number | readonly string[]): Trust {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  const trust = proxyAddr.compile([...trustProxy]);
  return (address, hop) => trust(normalizeIp(address), hop);
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
