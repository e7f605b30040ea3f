import { readFileSync } from 'node:fs';

/** Pids of the children of a process on Linux; none for one that has ended. */
export function childrenOf(pid: number): number[] {
  let list: string;
  try {
    list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  } catch {
    return [];
  }
  return list.split(' ').filter(Boolean).map(Number);
}

/**
 * Sends a signal to one process; nothing happens when it has ended.
 * @throws RangeError for 0 and less, with which the kernel signals a group of processes, or the caller's own
 */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  if (!(pid > 0)) throw new RangeError(`${pid} is no process`);
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
