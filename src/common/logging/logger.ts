import { isMainThread } from 'node:worker_threads';
import { destination, type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

/** Injection token of the service's logger: `@Inject(LOGGER) private readonly logger: Logger`. */
export const LOGGER = Symbol('LOGGER');

/**
 * Lines share a write, by another thread, which else takes as long as a request does. They are out at once when there are
 * many, a fifth of a second later when there are few, and when the process ends; of a thread that ends nobody waits for it.
 */
const TOGETHER = { minLength: 16_000, periodicFlush: 200 };

/** JSON lines on standard output, or where a test wants them. `level` is a level of pino's, or `silent`. */
export function createLogger(level: string, logTo?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, logTo ?? standardOutput());
}

function standardOutput(): DestinationStream {
  const output = destination({ sync: false, ...(isMainThread && TOGETHER) });
  // A terminal that has been closed takes no more lines; the service still stops as it should.
  output.on('error', () => undefined);
  return output;
}

interface ErrorDescription {
  type: string;
  code?: string;
  message: string;
  stack?: string;
  cause?: ErrorDescription;
}

/**
 * What a log line may say of an error. Errors of the database carry statements, parameters and quoted values, any of
 * which may hold a phone number or a key: only what names the failure is kept.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' };
  const { code, query } = error as Error & { code?: unknown; query?: unknown };
  const message = query === undefined ? error.message : (error.message.split(':')[0] ?? '');
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    message,
    ...(error.stack !== undefined && { stack: error.stack.replace(error.message, () => message) }),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}
