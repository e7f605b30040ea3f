/** The time of day, injected so that tests can stand at midnight. Timers and time-outs use the real one. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;

  date(): Date {
    return new Date(this.now());
  }
}

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }
}
