/** A fixed window of calls, from the first one on. */
export interface RateWindow {
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly hits: number;
}

/** Counts one call. The Lua script of the storage says the same. */
export function countCall(window: RateWindow | undefined, now: number, ttl: number): RateWindow {
  // A clock that was set back must not lock anyone out for longer than a window.
  const current = window && Math.abs(now - window.start) < ttl;
  return current ? { start: window.start, hits: window.hits + 1 } : { start: now, hits: 1 };
}
