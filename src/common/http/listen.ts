import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Error codes for an address, or IPv6 as a whole, that the machine does not have. */
export const NO_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * Listens on every address that this machine has, with a server for each.
 * @param port 0 for any free port, the same on all addresses
 * @throws if the machine has none of the addresses, or the port is in use; then no server listens
 */
export async function listenOn<T extends { server: Server }>(
  hosts: readonly string[],
  port: number,
  create: () => T,
): Promise<{ listeners: T[]; port: number }> {
  const listeners: T[] = [];
  let bound = port;
  for (const host of hosts) {
    const listener = create();
    const { server } = listener;
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port: bound, ipv6Only: host.includes(':') }, resolve);
      });
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (listeners.length > 0 && NO_ADDRESS.includes(code)) continue;
      for (const other of listeners) other.server.close();
      throw error;
    }
    listeners.push(listener);
    bound = (server.address() as AddressInfo).port;
  }
  return { listeners, port: bound };
}
