import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnAs } from './child-process';
import type { ClusterHome } from './cluster-home';
import { Lease } from './lease';
import { killLeftovers } from './leftovers';
import { disownLockFile, isPostgres, readPostmaster, stopPostmaster } from './postmaster';
import type { ServerLog } from './server-log';

export interface RunningServer {
  pid: number;
  port: number;
  lease: Lease;
}

/** Enough to recover max_wal_size of WAL on a slow disk. */
const READY_MS = 300_000;
/** How long the process named in the lock file may refuse connections before it counts as unrelated. */
const REFUSAL_MS = 3_000;
/** How long the processes of a killed server may take to exit. */
const LEFTOVERS_MS = 10_000;

const PORT_TAKEN = /Address already in use|could not bind/;
const LEFTOVERS = /pre-existing shared memory block/;

const SETTINGS: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  wal_compression: 'on',
  max_connections: '200',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Statements and error details contain customer data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Finds a running server of this cluster, left behind by a killed process or shared with another one. */
export async function findServer(home: ClusterHome, password: string): Promise<RunningServer | undefined> {
  const deadline = Date.now() + READY_MS;
  let refusedSince: number | undefined;
  while (Date.now() < deadline) {
    const named = await readPostmaster(home);
    if (!named || !(await isPostgres(named.pid))) return undefined;
    const lease = named.port > 0 ? await Lease.take(home.cluster, named.port, password) : 'elsewhere';
    if (lease instanceof Lease) return { ...named, lease };
    refusedSince = lease === 'elsewhere' ? (refusedSince ?? Date.now()) : undefined;
    if (refusedSince && Date.now() - refusedSince > REFUSAL_MS) return undefined;
    await sleep(50);
  }
  throw new Error(`A Postgres runs on ${home.cluster} but does not answer`);
}

/** Starts the server on a free port of 127.0.0.1. Call it only if `findServer` found none. */
export async function startServer(
  home: ClusterHome,
  postgres: string,
  password: string,
  log: ServerLog,
  settings: Record<string, string>,
): Promise<RunningServer> {
  const leftoversGone = Date.now() + LEFTOVERS_MS;
  let ports = 10;
  for (;;) {
    await disownLockFile(home);
    const port = await freePort();
    const pid = await launch(home, postgres, options(home, { ...SETTINGS, ...settings }, port), log);
    if (pid) {
      const server = await findServer(home, password);
      if (server) return server;
      await stopPostmaster(pid, home.user);
      throw new Error(`Postgres started on ${home.cluster} but refuses connections\n${await log.tail()}`);
    }
    const tail = await log.tail();
    if (PORT_TAKEN.test(tail) && --ports > 0) continue;
    if (!LEFTOVERS.test(tail) || Date.now() > leftoversGone)
      throw new Error(`Postgres failed to start\n${tail}`);
    await killLeftovers(home);
    await sleep(200);
  }
}

function options({ cluster }: ClusterHome, settings: Record<string, string>, port: number): string[] {
  const all = {
    ...settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    // A socket path is limited to about 100 characters; data folders may have longer paths.
    unix_socket_directories: '',
  };
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Resolves with the pid once the server is ready, or with undefined if it has exited. */
async function launch(
  home: ClusterHome,
  file: string,
  args: string[],
  log: ServerLog,
): Promise<number | undefined> {
  await log.mark();
  // Detached, so that Ctrl-C in the terminal reaches only this process, which stops the server last.
  const child = spawnAs({
    user: home.user,
    file,
    args,
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  });
  child.unref();
  // Without a listener the error would end this process; it shows as a missing pid.
  child.once('error', () => undefined);
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    const named = await readPostmaster(home);
    if (named?.ready && named.pid === child.pid) return named.pid;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return undefined;
    await sleep(20);
  }
  throw new Error(`Postgres is still starting\n${await log.tail()}`);
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
