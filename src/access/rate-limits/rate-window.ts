/** A fixed window that starts with the first call in it. */
export interface RateWindow {
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly hits: number;
}

/** Counts one call, like the Lua script of the storage. */
export function countCall(window: RateWindow | undefined, now: number, ttl: number): RateWindow {
  // After the clock has been set back, callers are not blocked for longer than a window.
  const current = window && Math.abs(now - window.start) < ttl;
  return current ? { start: window.start, hits: window.hits + 1 } : { start: now, hits: 1 };
}
