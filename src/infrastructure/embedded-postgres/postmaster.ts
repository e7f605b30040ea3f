import { readFile, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packagedBinaries } from './binaries';
import { run, type ClusterUser } from './child-process';
import type { ClusterHome } from './cluster-home';
import { readIfExists, writePrivate } from './files';

const SHUTDOWN_MS = 60_000;

interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

/** Reads `postmaster.pid`; the process it names may be long dead. */
export async function readPostmaster({ cluster }: ClusterHome): Promise<Postmaster | undefined> {
  const lines = (await readIfExists(lockFile(cluster)))?.split('\n') ?? [];
  const pid = Math.abs(Number(lines[0]));
  return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : undefined;
}

/** Whether a process is alive and a Postgres, where the system can tell: pids are reused. */
export async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    // The process does not exist, or belongs to a user other than the cluster's.
    return false;
  }
  if (platform() !== 'linux') return true;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // "pid (name) state …"; state Z is a zombie.
  return / \(postgres\) [^ZX]/.test(status);
}

/**
 * Makes Postgres treat its lock file as stale, by naming this process in it: Postgres refuses to start while the pid in
 * the file is alive, unless that is its parent. The file is kept, so that Postgres still checks its shared memory for a
 * live server.
 */
export async function disownLockFile({ cluster, user }: ClusterHome): Promise<void> {
  const text = await readIfExists(lockFile(cluster));
  if (text === undefined) return;
  if (Number.parseInt(text))
    await writePrivate(lockFile(cluster), text.replace(/^.*/, String(process.pid)), user);
  // A power cut left an empty file, which Postgres refuses too.
  else await rm(lockFile(cluster));
}

/** Fast shutdown: clients are disconnected, committed data is kept. Resolves when the process is gone. */
export async function stopPostmaster(pid: number, user: ClusterUser | undefined): Promise<void> {
  const { ok, output } = await interrupt(pid, user);
  const deadline = Date.now() + SHUTDOWN_MS;
  while (await isPostgres(pid)) {
    if (!ok) throw new Error(`Postgres (pid ${pid}) could not be stopped: ${output}`);
    if (Date.now() > deadline) throw new Error(`Postgres (pid ${pid}) is still shutting down`);
    await sleep(20);
  }
}

// Runs as the cluster's user, so that a pid from that user's file cannot make root kill an arbitrary process.
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
