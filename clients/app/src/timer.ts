/** Calls back later. Unlike a bare timer, it does not keep a process of Node running. @returns how to cancel */
export function later(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  // Timers of apps are numbers.
  (timer as { unref?(): void }).unref?.();
  return () => clearTimeout(timer);
}
