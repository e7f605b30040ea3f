import type { Logger } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';

/** Failures after which the rest is left to the next run, as while Postgres is away. */
const MAX_FAILURES = 10;

/**
 * Does the work of each item; one that fails is logged, and does not hold up the others.
 * @param what names the work in the log
 * @param until by `performance.now()`; the rest is left to the next run
 */
export async function eachApart<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  { logger, what, until = Infinity }: { logger: Logger; what: string; until?: number },
): Promise<void> {
  let failures = 0;
  for (const item of items) {
    if (performance.now() > until || failures === MAX_FAILURES) return;
    try {
      await work(item);
    } catch (error) {
      failures++;
      logger.error(`${what} failed: ${JSON.stringify(item)}: ${describeError(error).message}`);
    }
  }
}
