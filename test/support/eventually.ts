import { setTimeout as delay } from 'node:timers/promises';

/** Repeats assertions until they hold, as counting goes on behind the answer. @throws the last failure after 10 s */
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
