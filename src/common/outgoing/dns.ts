import { promises as dns } from 'node:dns';

/**
 * Creates a resolver for these name servers, or for the system's. Unlike `dns.lookup`, it does not block one of libuv's
 * few threads, which files and password hashing need, while a name server does not respond.
 */
export function dnsResolver(servers: readonly string[]): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: 1_500, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

/**
 * Whether a name server answered that the name or record type does not exist, as opposed to SERVFAIL or
 * silence.
 */
export function isAbsence(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA'].includes(errorCode(error));
}

/** The `code` of a Node error; empty if it has none. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
