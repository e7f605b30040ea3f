import type { Logger } from '@nestjs/common';
import { describeError } from './logging/logger';

/** After this many failures the rest is left to the next run, because something like Postgres is down. */
const MAX_FAILURES = 10;

/**
 * Runs `work` for each item. A failed item is logged and does not hold up the others.
 * @param what names the work in the log
 * @param until deadline by `performance.now()`; the rest is left to the next run
 * @throws the first error, after all items
 */
export async function forEachSettled<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  { logger, what, until = Infinity }: { logger: Logger; what: string; until?: number },
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) {
    if (performance.now() > until || errors.length === MAX_FAILURES) break;
    try {
      await work(item);
    } catch (error) {
      errors.push(error);
      logger.error(`${what} failed: ${JSON.stringify(item)}: ${describeError(error).message}`);
    }
  }
  if (errors.length > 0) throw errors[0];
}
