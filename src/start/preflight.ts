import { connect, createServer } from 'node:net';
import { NO_ADDRESS } from '../common/http/listen';
import type { Config } from '../config/config';
import { InvalidConfiguration } from '../config/invalid-configuration';
import { runningInstance } from './running-instance';
import { AlreadyRunning, checkDataDir, listenProblem } from './start-problems';

const CONNECT_TIMEOUT_MS = 1_000;
/** Loopback addresses that reach a listener on all addresses of a family, on every platform. */
const LOOPBACK: Partial<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Checks for predictable failures before anything is started, built or migrated: contradictory settings, a data folder
 * that is in use or not writable, a port in use.
 * @throws InvalidConfiguration naming the setting; AlreadyRunning
 */
export async function preflight(config: Config): Promise<void> {
  checkEncryptionKeys(config);
  checkRole(config);
  await checkDataDir(config.dataDir);
  const running = ownsDataDir(config) ? await runningInstance(config.dataDir) : null;
  if (running !== null) throw new AlreadyRunning(config.dataDir, running);
  await checkPort(config.listenHosts, config.port);
  const { operations } = config;
  if (operations) await checkPort(operations.hosts, operations.port, 'OPERATIONS_');
}

/** Whether the data folder must have no other process. With external stores, several can share it. */
export function ownsDataDir({ databaseUrl, redisUrl }: Config): boolean {
  return databaseUrl === undefined && redisUrl === undefined;
}

/** Rejects an external Postgres without ENCRYPTION_KEYS: it may be shared by processes with different data folders. */
function checkEncryptionKeys({ databaseUrl, encryptionKeys }: Config): void {
  if (!databaseUrl || encryptionKeys) return;
  throw new InvalidConfiguration(
    'ENCRYPTION_KEYS: must be set with DATABASE_URL, the same for all processes; generate one with ' +
      'k1:$(openssl rand -base64 32)',
  );
}

/** Rejects separate web and worker processes without Redis, through which clicks pass. */
function checkRole({ role, redisUrl }: Config): void {
  if (role === 'all' || redisUrl !== undefined) return;
  throw new InvalidConfiguration(
    `ROLE: ${role} needs REDIS_URL; without Redis, a single process does everything`,
  );
}

/**
 * Detects another listener by connecting to it. Listening on the port as a test could accept visitors who retry during
 * a restart, and then reset them; so the addresses are tested on a random port.
 */
async function checkPort(hosts: readonly string[], port: number, of: '' | 'OPERATIONS_' = ''): Promise<void> {
  for (const [i, host] of hosts.entries()) {
    try {
      await listenBriefly(host);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (i > 0 && NO_ADDRESS.includes(code)) continue;
      throw listenProblem(error, of);
    }
    if (port > 0 && (await hasListener(host, port))) {
      throw new InvalidConfiguration(`${of}PORT: ${port} is already in use on ${host} (EADDRINUSE)`);
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
    // The system may choose the same port for the client side, which then connects to itself.
    socket.once('connect', () => resolve(socket.localPort !== port));
    socket.once('timeout', () => resolve(false));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}
