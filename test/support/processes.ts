import { readFileSync } from 'node:fs';

/** Pids of a process's children on Linux; empty if the process has ended. */
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
 * Sends a signal to a process; does nothing if it has ended.
 * @throws RangeError for 0 and negative numbers, with which the kernel signals process groups, including the caller's
 * own
 */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  if (!(pid > 0)) throw new RangeError(`${pid} is no process`);
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
