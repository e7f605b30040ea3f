import { setTimeout as delay } from 'node:timers/promises';

/** Only ends tests that hang, as a shared machine may be slow and stall. */
const LIMIT_SECONDS = 60;

/** Repeats assertions until they hold, because counting is asynchronous. @throws the last failure of those that never do */
export function eventually<T>(assertions: () => Promise<T>): Promise<T> {
  return within(LIMIT_SECONDS, assertions);
}

/** The same with a limit of its own, for fault tests. @throws the last failure after `seconds` */
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
 * The same for a change of which caches have to hear: from twenty seconds on, they reload what is in use in any case.
 * @throws the last failure
 */
export function heard<T>(assertions: () => Promise<T>): Promise<T> {
  return within(15, assertions);
}
