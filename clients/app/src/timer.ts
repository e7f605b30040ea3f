/** A timer that does not keep Node running. @returns a function that cancels it */
export function later(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  // Timers of apps are numbers.
  (timer as { unref?(): void }).unref?.();
  return () => clearTimeout(timer);
}
