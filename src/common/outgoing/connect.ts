import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { HostAddresses } from './host-addresses';

/** An address that does not answer by then gives way to the host's next one. */
const CONNECT_MS = 5_000;

/**
 * What undici asks for each connection: finds the host's addresses, checks them, and connects to one of those very
 * addresses. undici's own `lookup` option would not be asked where the host is an IP address.
 * @param ca certificates to trust instead of the usual ones
 * @returns the connector of one call, which asks nobody any more once the call has been given up
 */
export function checkedConnectors(
  addresses: HostAddresses,
  ca?: string,
): (call: AbortSignal) => buildConnector.connector {
  const connect = buildConnector({
    timeout: CONNECT_MS,
    maxCachedSessions: 0,
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
  const connected = (options: buildConnector.Options) =>
    new Promise<Socket>((resolve, reject) => {
      connect(options, (error, socket) => (socket ? resolve(socket) : reject(error)));
    });
  const open = async (options: buildConnector.Options, call: AbortSignal): Promise<Socket> => {
    let failure: unknown;
    for (const hostname of await addresses.of(options.hostname, call)) {
      call.throwIfAborted();
      try {
        // `host` stays the name that was asked for: the certificate has to be that name's.
        return await connected({ ...options, hostname });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
  return (call) => (options, callback) => {
    void open(options, call).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error as Error, null),
    );
  };
}
