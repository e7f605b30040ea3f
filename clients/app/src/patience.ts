import { later } from './timer';

const FIRST_MS = 2_000;
/** React Native warns of longer timers. */
const LAST_MS = 60_000;

/** Waits between attempts, longer each time, until something says that the next one may work. */
export class Patience {
  private ms = FIRST_MS;
  private readonly waiting = new Set<() => void>();

  /** @param atLeastMs what the server asked for */
  wait(atLeastMs: number | null): Promise<void> {
    // With jitter, so that many phones do not come back at the same time.
    const ms = Math.max(this.ms * (0.75 + Math.random() / 2), atLeastMs ?? 0);
    this.ms = Math.min(2 * this.ms, LAST_MS);
    return new Promise((resolve) => {
      const goOn = () => {
        cancel();
        this.waiting.delete(goOn);
        resolve();
      };
      const cancel = later(ms, goOn);
      this.waiting.add(goOn);
    });
  }

  /** Ends all waits: the app is in front, or the network is back. */
  wake(): void {
    for (const goOn of this.waiting) goOn();
  }

  succeeded(): void {
    this.ms = FIRST_MS;
  }
}
