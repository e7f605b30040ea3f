import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { addressOf, listenLocally } from '../infrastructure/embedded-postgres/local-socket';

/** A process that holds a data folder replies at once. One that hangs still holds it. */
const REPLY_TIMEOUT_MS = 1_000;

/**
 * Locks the data folder until this process ends, by a local socket that tells others the URL of the service.
 * @param url of this service
 * @returns false if another process holds the folder
 */
export async function holdDataDir(dataDir: string, url: string): Promise<boolean> {
  const server = await listenLocally(await addressOf(dataDir, 'running'), url);
  server?.unref();
  return server !== undefined;
}

/**
 * The URL of the process that holds the data folder (empty if it does not reply), or null if there is none.
 */
export async function runningInstance(dataDir: string): Promise<string | null> {
  const address = await addressOf(dataDir, 'running');
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.setTimeout(REPLY_TIMEOUT_MS, () => {
      socket.destroy();
      resolve('');
    });
    socket.once('error', () => resolve(null));
    socket.once('connect', () => void text(socket).then(resolve, () => resolve('')));
  });
}
