import { Clock } from '../../src/common/time/clock';

/** A clock that tests set and move; it stands still otherwise, unless it follows the real one. */
export class TestClock extends Clock {
  private offset = 0;
  private fixed: number | null = null;

  now(): number {
    return this.fixed ?? Date.now() + this.offset;
  }

  /** Stands still at this time. */
  set(time: Date | string): void {
    this.fixed = new Date(time).getTime();
  }

  /** Moves on, standing or running. */
  advance(milliseconds: number): void {
    if (this.fixed === null) this.offset += milliseconds;
    else this.fixed += milliseconds;
  }

  /** Runs with the real clock again. */
  run(): void {
    this.fixed = null;
    this.offset = 0;
  }
}
