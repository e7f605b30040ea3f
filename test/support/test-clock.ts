import { Clock } from '../../src/common/time/clock';

/** A clock that tests set and advance; frozen unless it follows the real clock. */
export class TestClock extends Clock {
  private offset = 0;
  private fixed: number | null = null;

  now(): number {
    return this.fixed ?? Date.now() + this.offset;
  }

  /** Freezes the clock at this time. */
  set(time: Date | string): void {
    this.fixed = new Date(time).getTime();
  }

  /** Advances the clock, frozen or running. */
  advance(milliseconds: number): void {
    if (this.fixed === null) this.offset += milliseconds;
    else this.fixed += milliseconds;
  }

  /** Follows the real clock again. */
  run(): void {
    this.fixed = null;
    this.offset = 0;
  }
}
