import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { HostAddresses } from './host-addresses';

/** Timeout of a connection attempt, after which the next address of the host is tried. */
const CONNECT_MS = 5_000;

/**
 * Creates the connector that undici calls for each connection: it resolves the host, checks the addresses and connects
 * to one of them. undici's `lookup` option does not cover hosts that are IP addresses.
 * @param ca CA certificates to trust instead of the default ones
 * @returns a connector for one request, which stops resolving when the request is aborted
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
        // `host` stays the requested name, against which the certificate is checked.
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
