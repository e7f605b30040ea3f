import { isIP } from 'node:net';

/** An address with or without a port: `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53`, `[2001:db8::53]:5353`. */
const SERVER = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/i;

/**
 * Parses a comma-separated list of name servers.
 * @returns them in the format of `dns.setServers`, or null if one is invalid
 */
export function parseDnsServers(text: string): string[] | null {
  const servers = text.split(',').map((entry) => serverOf(entry.trim()));
  return servers.every((server) => server !== null) ? servers : null;
}

function serverOf(entry: string): string | null {
  const [, ipv6, ipv4, port = '53'] = SERVER.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  if (Number(port) < 1 || Number(port) > 65_535) return null;
  if (ipv6 !== undefined) return isIP(ipv6) === 6 ? `[${ipv6}]:${port}` : null;
  return ipv4 !== undefined && isIP(ipv4) === 4 ? `${ipv4}:${port}` : null;
}
