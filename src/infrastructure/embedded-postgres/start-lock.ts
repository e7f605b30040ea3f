import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, listenLocally } from './local-socket';

const LOCK_TIMEOUT_MS = 300_000;

/** Acquires the lock for starting a server on this data folder; resolves with its release function. */
export async function startLock(dataDir: string): Promise<() => Promise<void>> {
  const address = await addressOf(dataDir, 'starting');
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const server = await listenLocally(address);
    if (server) return async () => new Promise((resolve) => server.close(() => resolve()));
    if (Date.now() > deadline)
      throw new Error(`Another process has been starting on ${dataDir} for too long`);
    await sleep(50);
  }
}
