import { setTimeout as sleep } from 'node:timers/promises';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { packagedBinaries, usableBinaries } from './binaries';
import { clusterExists, clusterPassword, createCluster, NAME } from './cluster';
import { clusterHome, type ClusterHome } from './cluster-home';
import { Lease } from './lease';
import { isPostgres, readPostmaster, stopPostmaster } from './postmaster';
import { findServer, startServer, type RunningServer } from './server';
import { ServerLog } from './server-log';
import { addressOf, listenLocally } from './local-socket';

export interface EmbeddedPostgres {
  /** `postgres://waypost:<password>@127.0.0.1:<port>/waypost`. Secret, because it contains the password. */
  url: string;
  /**
   * Shuts the server down (fast mode), and resolves when it is down. While other processes use the server, only
   * disconnects; the last user stops it.
   */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** Folder of the cluster, its password and its log; created if absent. */
  dataDir: string;
  log?: (message: string) => void;
  /** Postgres settings that override the defaults; not applied to a server that is already running. */
  settings?: Record<string, string>;
  /** Folder with Postgres's bin, lib and share; by default that of the npm package for this platform. */
  binaries?: string;
}

/**
 * Runs a real Postgres on a machine that only has Node. Creates the cluster on the first start, and adopts a
 * server that a killed process left behind. The server outlives this process unless it is stopped.
 *
 * @throws Error with the last lines of the server's log if it cannot start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => undefined } = options;
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const unlock = await startLock(dataDir);
  try {
    const home = await clusterHome(dataDir);
    const password = await clusterPassword(dataDir, home);
    const found = await findServer(home, password);
    const server = found ?? (await start(home, dataDir, password, options));
    log(
      `Postgres ${found ? 'found running' : 'started'} on ${home.cluster} (pid ${server.pid}, port ${server.port})`,
    );
    let stopped: Promise<void> | undefined;
    const postgres = {
      url: `postgres://${NAME}:${password}@127.0.0.1:${server.port}/${NAME}`,
      stop: () => (stopped ??= stop(home, server, password, log)),
    };
    await server.lease.ensureDatabase().catch(async (error: unknown) => {
      await postgres.stop();
      throw error;
    });
    server.lease.settle();
    return postgres;
  } finally {
    await unlock();
  }
}

async function start(
  home: ClusterHome,
  dataDir: string,
  password: string,
  { binaries = packagedBinaries(), settings = {} }: EmbeddedPostgresOptions,
): Promise<RunningServer> {
  const { initdb, postgres } = await usableBinaries(binaries, home);
  const serverLog = await ServerLog.open(dataDir);
  try {
    if (!(await clusterExists(home))) {
      await createCluster(home, initdb, password, serverLog, settings['fsync'] !== 'off');
    }
    return await startServer(home, postgres, password, serverLog, settings);
  } finally {
    await serverLog.close();
  }
}

async function stop(
  home: ClusterHome,
  { pid, port, lease }: RunningServer,
  password: string,
  log: (message: string) => void,
): Promise<void> {
  let outcome = await lease.release();
  if (outcome === 'unknown') {
    // The server crashed and restarted, or is gone.
    const again = await Lease.take(home.cluster, port, password);
    if (again instanceof Lease) outcome = await again.release();
    else if ((await readPostmaster(home))?.pid !== pid) return;
  }
  if (outcome === 'shared') {
    log(`Postgres (pid ${pid}) left running: another process uses it`);
    return;
  }
  if (await isPostgres(pid)) await stopPostmaster(pid, home.user);
  log(`Postgres (pid ${pid}) stopped`);
}

const LOCK_TIMEOUT_MS = 300_000;

/** Acquires the lock for starting a server on this data folder; resolves with its release function. */
async function startLock(dataDir: string): Promise<() => Promise<void>> {
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
