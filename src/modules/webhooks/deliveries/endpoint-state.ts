import type { WorkItem } from '../../../infrastructure/jobs/wake-up-queue';

/** Concurrent attempts of an endpoint: a fast one, a slow one, and one that only fails. */
const MAX_FAST = 10;
const MAX_SLOW = 4;
const MAX_OPEN = 1;
/** Consecutive failures that open the circuit. */
const OPENS_AT = 5;

/** Health and running attempts of an endpoint in this process. Dropped when it holds only defaults. */
export class EndpointState {
  running = 0;
  /** Whether due deliveries are being claimed. */
  claiming = false;
  /** Whether more may be due than was claimed. */
  more = false;
  /** Whether the last attempt was slow; slow endpoints share slots of their own. */
  slow = false;
  /** Whether a timer will wake the endpoint after its pause. */
  pausing = false;
  private requested = false;
  private failures = 0;
  private pausedUntil = -Infinity;

  constructor(readonly endpoint: WorkItem) {}

  /** Requests a claim, after the one that is under way. */
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
   * Records an attempt. While the circuit is open, the endpoint pauses after each attempt for as long as that took, because
   * an endpoint that refuses immediately is cheap to try and one that hangs is not.
   */
  attempted(delivered: boolean, tookMs: number, slowAfterMs: number): void {
    this.slow = tookMs >= slowAfterMs;
    this.failures = delivered ? 0 : this.failures + 1;
    if (this.failures >= OPENS_AT) this.pausedUntil = performance.now() + tookMs;
  }
}
