import { setTimeout as delay } from 'node:timers/promises';

/** Only ends tests that hang, because shared machines are slow and may stall. */
const LIMIT_SECONDS = 60;

/** Repeats assertions until they hold, because counting is asynchronous. @throws the last failure after a minute */
export function eventually<T>(assertions: () => Promise<T>): Promise<T> {
  return within(LIMIT_SECONDS, assertions);
}

/** `eventually` with another time limit, for fault tests. @throws the last failure after `seconds` */
export async function within<T>(seconds: number, assertions: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await delay(25);
    }
  }
}

/**
 * `eventually` for changes announced to other processes. The limit is shorter than the 20 s after which their caches
 * reload without an announcement. @throws the last failure
 */
export function heard<T>(assertions: () => Promise<T>): Promise<T> {
  return within(15, assertions);
}
