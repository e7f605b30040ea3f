import { createHash } from 'node:crypto';
import { stat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from './files';

/**
 * Address of a local socket that belongs to a folder, the same for every path to that folder. The system frees it when
 * the listening process ends.
 * @param purpose distinguishes sockets of the same folder
 */
export async function addressOf(folder: string, purpose: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const name = `waypost-${createHash('sha256').update(`${dev}:${ino}:${purpose}`).digest('hex').slice(0, 24)}`;
  if (platform() === 'linux') return `\0${name}`;
  return platform() === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name);
}

/** Listens on the address and sends `answer` to every client; undefined if another process is listening. */
export async function listenLocally(address: string, answer = ''): Promise<Server | undefined> {
  if (!address.startsWith('\0') && platform() !== 'win32') await removeIfDead(address);
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(answer);
    });
    server.once('error', (error) => (codeOf(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen({ path: address, exclusive: true }, () => resolve(server));
  });
}

// A socket in the file system outlives its process.
async function removeIfDead(path: string): Promise<void> {
  const refused = await new Promise<boolean>((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error) => resolve(codeOf(error) === 'ECONNREFUSED'));
  });
  if (refused) await unlink(path).catch(() => undefined);
}
