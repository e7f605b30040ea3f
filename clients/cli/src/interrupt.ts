import { EXIT } from './exit';

/**
 * Runs what only ends by Ctrl-C. The first one aborts the signal, so that the task can clean up; a second one ends the
 * program at once.
 */
export async function untilInterrupted(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController();
  const stop = () => {
    if (abort.signal.aborted) process.exit(EXIT.interrupted);
    process.exitCode = EXIT.interrupted;
    abort.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await task(abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) throw error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
