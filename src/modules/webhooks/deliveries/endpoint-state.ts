import type { WorkItem } from '../../../infrastructure/jobs/wake-up-queue';

/** Concurrent attempts of an endpoint: of a fast one, a slow one, and one that only fails. */
const MAX_FAST = 10;
const MAX_SLOW = 4;
const MAX_OPEN = 1;
/** Consecutive failures after which the circuit opens. */
const OPENS_AT = 5;

/** Health and running attempts of an endpoint, as seen by this process. Discarded when it has only defaults. */
export class EndpointState {
  running = 0;
  claiming = false;
  /** Whether more may be due than has been claimed. */
  more = false;
  /** Whether the last attempt was slow; slow endpoints share separate slots. */
  slow = false;
  /** Whether a timer will wake the endpoint after its pause. */
  pausing = false;
  private requested = false;
  private failures = 0;
  private pausedUntil = -Infinity;

  constructor(readonly endpoint: WorkItem) {}

  /** Requests another claim, after the one in progress. */
  request(): void {
    this.requested = true;
  }

  /** @returns whether a claim has been requested since the last call */
  takeRequest(): boolean {
    const { requested } = this;
    this.requested = false;
    return requested;
  }

  /** How many more attempts may start now. */
  get capacity(): number {
    const max = this.failures >= OPENS_AT ? MAX_OPEN : this.slow ? MAX_SLOW : MAX_FAST;
    return this.pause > 0 ? 0 : Math.max(0, max - this.running);
  }

  /** Milliseconds until the next attempt may start. */
  get pause(): number {
    return Math.max(0, this.pausedUntil - performance.now());
  }

  get idle(): boolean {
    return this.running === 0 && !this.claiming && !this.slow && this.failures === 0;
  }

  /**
   * Records an attempt. While the circuit is open, the endpoint pauses after each attempt for as long as the attempt
   * took: an endpoint that refuses immediately is cheap to try, one that hangs is not.
   */
  attempted(delivered: boolean, tookMs: number, slowAfterMs: number): void {
    this.slow = tookMs >= slowAfterMs;
    this.failures = delivered ? 0 : this.failures + 1;
    if (this.failures >= OPENS_AT) this.pausedUntil = performance.now() + tookMs;
  }
}
