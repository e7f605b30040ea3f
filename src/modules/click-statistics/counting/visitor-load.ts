const MEASURED_EVERY_MS = 25;
/** Of what is measured above and below the load so far, this much is believed each time. */
const RISE = 0.25;
const FALL = 0.025;
/** A quarter of the time is thousands of redirects a second. */
const BUSY_PERCENT = 25;

/** How busy the thread is that answers visitors, told to the one that counts: both see the same memory. */
export class VisitorLoad {
  private readonly percent: Int32Array;

  /** @param memory that of the thread which measures; without it nobody is answered beside the counting */
  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.percent = new Int32Array(memory);
  }

  get busy(): boolean {
    return Atomics.load(this.percent, 0) >= BUSY_PERCENT;
  }

  /** Measures the calling thread from now on. @returns what ends it */
  measure(): () => void {
    let last = performance.eventLoopUtilization();
    let load = 0;
    const timer = setInterval(() => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      load = smoothed(load, utilization);
      Atomics.store(this.percent, 0, Math.round(load * 100));
    }, MEASURED_EVERY_MS).unref();
    return () => clearInterval(timer);
  }
}

/**
 * The load after one more measurement, 0 to 1. It falls more slowly than it rises: visitors are still there while all of
 * them wait for a disk. A call of the API now and then is none.
 */
export function smoothed(load: number, measured: number): number {
  return load + (measured - load) * (measured > load ? RISE : FALL);
}
