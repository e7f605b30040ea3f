import { promises as dns } from 'node:dns';

/**
 * A resolver of its own, asking the given servers, else the system's. Not `dns.lookup`: that one holds a thread of
 * the few that files and passwords need, for as long as a name server cares to be silent.
 */
export function dnsResolver(servers: readonly string[]): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: 1_500, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

/** A name server said that there is no such name, or nothing of that type: an answer, unlike SERVFAIL or silence. */
export function isAbsence(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA'].includes(errorCode(error));
}

/** The code of an error of Node's; empty when it has none. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
