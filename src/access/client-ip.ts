import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** Stands for an invalid address sent by a proxy; matches no allow-list. */
const UNKNOWN = 'unknown';

/** An address with a port, IPv6 in brackets. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/;

/**
 * The address in a text as proxies, sockets and servers write it, without port, brackets, quotes, zone and white space;
 * IPv4-mapped IPv6 becomes IPv4, and IPv6 is compressed. @returns null for other text
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

/** The normalized form of an address. @param ip usually Express's `request.ip`, which respects TRUST_PROXY */
export function normalizeIp(ip: string | undefined): string {
  return addressIn(ip ?? '') ?? UNKNOWN;
}

/** Whether a hop's statement about the previous address is trusted. Hop 0 is the peer of this service. */
export type Trust = (address: string, hop: number) => boolean;

export function trustOf(trustProxy: number | readonly string[]): Trust {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  const trust = proxyAddr.compile([...trustProxy]);
  return (address, hop) => trust(normalizeIp(address), hop);
}

/**
 * The part of an address that identifies a household: a whole IPv4 address, or the first 64 bits of an IPv6 address.
 * @param ip normalized by `normalizeIp`
 */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  return ipaddr.IPv6.parse(ip)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
