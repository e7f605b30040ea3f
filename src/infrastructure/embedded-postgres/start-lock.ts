import { createHash } from 'node:crypto';
import { stat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './files';

const PATIENCE_MS = 300_000;

/**
 * Waits for the only right to start a server on this data folder; resolves with what gives it back. The lock
 * is a listening local socket: the system frees it with its process, however that ends.
 */
export async function startLock(dataDir: string): Promise<() => Promise<void>> {
  const address = await addressOf(dataDir);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const server = await listen(address);
    if (server) return async () => new Promise((resolve) => server.close(() => resolve()));
    if (Date.now() > deadline)
      throw new Error(`Another process has been starting on ${dataDir} for too long`);
    if (!address.startsWith('\0') && platform() !== 'win32') await removeIfDead(address);
    await sleep(50);
  }
}

async function addressOf(dataDir: string): Promise<string> {
  const { dev, ino } = await stat(dataDir, { bigint: true });
  const name = `waypost-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 24)}`;
  if (platform() === 'linux') return `\0${name}`;
  return platform() === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name);
}

async function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => (codeOf(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen({ path, exclusive: true }, () => resolve(server));
  });
}

// A socket with a name in the file system outlives its process.
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
