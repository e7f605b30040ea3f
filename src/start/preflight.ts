import { connect, createServer } from 'node:net';
import { NO_ADDRESS } from '../common/http/listen';
import type { Config } from '../config/config';
import { InvalidConfiguration } from '../config/invalid-configuration';
import { runningInstance } from './running-instance';
import { AlreadyRunning, checkDataDir, listenProblem } from './start-problems';

const CONNECT_TIMEOUT_MS = 1_000;
/** Loopback address that reaches a listener on all addresses of a family, on every platform. */
const LOOPBACK: Partial<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Checks for predictable failures before anything is started, built or migrated: contradictory settings, a
 * data folder that is in use or not writable, a port that is in use.
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

/**
 * Whether this process must be the only one on its data folder. With external stores, several can share it.
 */
export function ownsDataDir({ databaseUrl, redisUrl }: Config): boolean {
  return databaseUrl === undefined && redisUrl === undefined;
}

/** Keys stored in the data folder are only for the embedded Postgres; an external one may be shared. */
function checkEncryptionKeys({ databaseUrl, encryptionKeys }: Config): void {
  if (!databaseUrl || encryptionKeys) return;
  throw new InvalidConfiguration(
    'ENCRYPTION_KEYS: must be set with DATABASE_URL, the same for all processes; generate one with ' +
      'k1:$(openssl rand -base64 32)',
  );
}

/** Clicks travel from a web process to a worker through Redis. */
function checkRole({ role, redisUrl }: Config): void {
  if (role === 'all' || redisUrl !== undefined) return;
  throw new InvalidConfiguration(
    `ROLE: ${role} needs REDIS_URL; without Redis, a single process does everything`,
  );
}

/**
 * Detects another listener by connecting. Listening on the port as a test would accept and then reset
 * visitors who retry during a restart; so the addresses are tested on a random port.
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
    // The system may pick the same port for the client end, which then connects to itself.
    socket.once('connect', () => resolve(socket.localPort !== port));
    socket.once('timeout', () => resolve(false));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}
