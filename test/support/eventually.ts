import { setTimeout as delay } from 'node:timers/promises';

/** Repeats assertions until they hold, because counting is asynchronous. @throws the last failure after `seconds` */
export async function eventually<T>(assertions: () => Promise<T>, seconds = 10): Promise<T> {
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
