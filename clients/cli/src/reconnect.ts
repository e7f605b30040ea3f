import { setTimeout as delay } from 'node:timers/promises';
import { isFinal } from './service';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Runs an attempt again and again until the signal, pausing longer after each failure in a row. The first failure is
 * thrown if nothing has worked before it, and later ones if another attempt cannot help.
 * @param attempt calls `alive` once it works
 * @param lost is told of failures
 */
export async function reconnecting(
  signal: AbortSignal,
  lost: (reason: string) => void,
  attempt: (alive: () => void) => Promise<void>,
): Promise<void> {
  const state = { hasWorked: false, pause: FIRST_PAUSE_MS };
  const alive = () => Object.assign(state, { hasWorked: true, pause: FIRST_PAUSE_MS });
  const isOver = () => signal.aborted;
  while (!isOver()) {
    try {
      await attempt(alive);
    } catch (error) {
      if (isOver()) return;
      if (!state.hasWorked || isFinal(error)) throw error;
      lost(error instanceof Error ? error.message : String(error));
      await delay(state.pause, undefined, { signal }).catch(() => undefined);
      state.pause = Math.min(state.pause * 2, LONGEST_PAUSE_MS);
    }
  }
}
