import { join } from 'node:path';

const PRELOADED = join(__dirname, 'fast-date.cjs');

/** A clock that processes of the service follow, at a pace of its own. Their timers, Postgres and Redis do not. */
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

  /** Milliseconds of real time that `seconds` of the clock take. */
  lasting(seconds: number): number {
    return (seconds * 1_000) / this.pace;
  }
}
