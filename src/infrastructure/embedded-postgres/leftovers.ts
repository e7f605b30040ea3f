import { readdir, readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { run } from './child-process';
import type { ClusterHome } from './cluster-home';

/**
 * Kills the backends that a killed postmaster left in the middle of a query: they notice its death only when the query
 * ends, and no server can start on the cluster until then. Linux only; elsewhere the start waits, and then fails.
 */
export async function killLeftovers({ cluster, user }: ClusterHome): Promise<void> {
  if (platform() !== 'linux') return;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const backends = (await Promise.all(pids.map(orphanedBackend))).filter((pid) => pid !== undefined);
  // Matches by working directory, which is a backend's data directory. Runs as the cluster's user, because root in a
  // container may not be allowed to read it.
  const script = 'for pid; do [ "/proc/$pid/cwd" -ef "$0" ] && kill -KILL "$pid"; done';
  await run(user, '/bin/sh', ['-c', script, cluster, ...backends]);
}

async function orphanedBackend(pid: string): Promise<string | undefined> {
  const parent = await parentIfPostgres(pid);
  if (!parent || (await parentIfPostgres(parent))) return undefined;
  // Backends are titled `postgres: …`; a postmaster shows its command line instead.
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return title.startsWith('postgres: ') ? pid : undefined;
}

async function parentIfPostgres(pid: string): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return / \(postgres\) [^ZX] (\d+)/.exec(status)?.[1];
}
