import { connect, createServer } from 'node:net';
import { type Config, InvalidConfiguration } from '../config/config';
import { runningInstance } from './running-instance';
import { AlreadyRunning, checkDataDir, listenProblem, NO_ADDRESS } from './start-problems';

const CONNECT_TIMEOUT_MS = 1_000;
/** Where a listener on every address of a family is found on each platform. */
const LOOPBACK: Partial<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * What can be known to fail before anything is started, built or migrated: settings that contradict each other, a data
 * folder that can't be written or is in use, a port that is taken.
 * @throws InvalidConfiguration naming the setting; AlreadyRunning
 */
export async function preflight(config: Config): Promise<void> {
  checkEncryptionKeys(config);
  checkRole(config);
  await checkDataDir(config.dataDir);
  const running = ownsDataDir(config) ? await runningInstance(config.dataDir) : null;
  if (running !== null) throw new AlreadyRunning(config.dataDir, running);
  await checkPort(config);
}

/** Whether this process is the only one that may use its data folder: with stores of their own, several may. */
export function ownsDataDir({ databaseUrl, redisUrl }: Config): boolean {
  return databaseUrl === undefined && redisUrl === undefined;
}

/** Keys that are kept beside an embedded Postgres have no place beside one that others use too. */
function checkEncryptionKeys({ databaseUrl, encryptionKeys }: Config): void {
  if (!databaseUrl || encryptionKeys) return;
  throw new InvalidConfiguration(
    'ENCRYPTION_KEYS: must be set with DATABASE_URL, the same for all processes; k1:$(openssl rand -base64 32) makes one',
  );
}

/** Clicks of a web process come to a worker by way of Redis: without it they would wait for ever. */
function checkRole({ role, redisUrl }: Config): void {
  if (role === 'all' || redisUrl !== undefined) return;
  throw new InvalidConfiguration(`ROLE: ${role} needs REDIS_URL; without Redis, one process does it all`);
}

/**
 * Looks for another listener by connecting. Listening as a test would accept visitors who retry during a restart, and
 * reset them; so the addresses are tried on a port that nobody knows.
 */
async function checkPort({ listenHosts, port }: Config): Promise<void> {
  for (const [i, host] of listenHosts.entries()) {
    try {
      await listenBriefly(host);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (i > 0 && NO_ADDRESS.includes(code)) continue;
      throw listenProblem(error);
    }
    if (port > 0 && (await hasListener(host, port))) {
      throw new InvalidConfiguration(`PORT: ${port} is already in use on ${host} (EADDRINUSE)`);
    }
  }
}

async function listenBriefly(host: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: 0, ipv6Only: host.includes(':') }, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

function hasListener(host: string, port: number): Promise<boolean> {
  const socket = connect({ host: LOOPBACK[host] ?? host, port, timeout: CONNECT_TIMEOUT_MS });
  return new Promise<boolean>((resolve) => {
    // The system may choose the port itself for our end of the connection, which then connects to itself.
    socket.once('connect', () => resolve(socket.localPort !== port));
    socket.once('timeout', () => resolve(false));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}
