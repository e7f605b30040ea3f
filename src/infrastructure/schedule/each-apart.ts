import type { Logger } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';

/** Failures after which the rest is left to the next run, as while Postgres is away. */
const MAX_FAILURES = 10;

/**
 * Does the work of each item. One that fails is logged and does not hold up the others, but fails the run in the end.
 * @param what names the work in the log
 * @param until by `performance.now()`; the rest is left to the next run
 * @throws the first error
 */
export async function eachApart<T>(
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
