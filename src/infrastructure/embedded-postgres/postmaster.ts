import { readFile, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packagedBinaries } from './binaries';
import { run, type ClusterUser } from './child-process';
import type { ClusterHome } from './cluster-home';
import { readIfExists, writePrivate } from './files';

const SHUTDOWN_MS = 60_000;

/** What `postmaster.pid`, Postgres's lock file, says of the server of a data directory. */
interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

/** Reads `postmaster.pid`; the server that it names may be long dead. */
export async function readPostmaster({ cluster }: ClusterHome): Promise<Postmaster | undefined> {
  const lines = (await readIfExists(lockFile(cluster)))?.split('\n') ?? [];
  const pid = Math.abs(Number(lines[0]));
  return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : undefined;
}

/** Whether a process is alive and, where the system tells, a Postgres: pids are used again. */
export async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    // Not there, or of a user who isn't the cluster's.
    return false;
  }
  if (platform() !== 'linux') return true;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // "pid (name) state …"; Z is a dead process that nobody has collected.
  return / \(postgres\) [^ZX]/.test(status);
}

/**
 * Makes Postgres take its lock file for a leftover: it refuses to start while the pid in there is alive, unless
 * that is its parent, us. The file stays, so that Postgres still checks its shared memory for a live server.
 */
export async function disownLockFile({ cluster, user }: ClusterHome): Promise<void> {
  const text = await readIfExists(lockFile(cluster));
  if (text === undefined) return;
  if (Number.parseInt(text))
    await writePrivate(lockFile(cluster), text.replace(/^.*/, String(process.pid)), user);
  // A power cut left it without its text, which Postgres refuses too.
  else await rm(lockFile(cluster));
}

/** Fast shutdown: clients are cut off, what they committed is kept. Resolves when the process is gone. */
export async function stopPostmaster(pid: number, user: ClusterUser | undefined): Promise<void> {
  const { ok, output } = await interrupt(pid, user);
  const deadline = Date.now() + SHUTDOWN_MS;
  while (await isPostgres(pid)) {
    if (!ok) throw new Error(`Postgres (pid ${pid}) could not be stopped: ${output}`);
    if (Date.now() > deadline) throw new Error(`Postgres (pid ${pid}) is still shutting down`);
    await sleep(20);
  }
}

// As the cluster's user: a pid from a file of that user's must not let it choose what root kills.
async function interrupt(
  pid: number,
  user: ClusterUser | undefined,
): Promise<{ ok: boolean; output: string }> {
  if (platform() === 'win32') {
    return run(user, join(packagedBinaries(), 'bin', 'pg_ctl.exe'), ['kill', 'INT', String(pid)]);
  }
  return run(user, '/bin/sh', ['-c', 'kill -INT "$1"', 'sh', String(pid)]);
}

function lockFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}
