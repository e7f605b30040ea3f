import { join } from 'node:path';

const PRELOADED = join(__dirname, 'fast-date.cjs');

/** Accelerated clock for processes of the service. Their timers, Postgres and Redis keep real time. */
export class FastClock {
  private readonly origin = Date.now();

  constructor(readonly pace: number) {}

  /** Environment of a process that follows the clock. */
  get env(): Record<string, string> {
    return {
      NODE_OPTIONS: `--require=${PRELOADED}`,
      FAST_CLOCK_PACE: String(this.pace),
      FAST_CLOCK_ORIGIN: String(this.origin),
    };
  }

  /** Real milliseconds in which the clock advances by `seconds`. */
  lasting(seconds: number): number {
    return (seconds * 1_000) / this.pace;
  }
}
