import { isMainThread } from 'node:worker_threads';
import { destination, type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { isTracing, traceFields } from '../tracing';

export const LOGGER = Symbol('LOGGER');

/**
 * Buffers lines and writes them asynchronously, because a write takes as long as a request. The buffer is flushed
 * when it is full, every 200 ms, and when the process exits.
 */
const BUFFER = { minLength: 16_000, periodicFlush: 200 };

/** Writes JSON lines to standard output, or to `logTo` in tests. @param level a pino level or `silent` */
export function createLogger(level: string, logTo?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    ...(isTracing() && { mixin: traceFields }),
  };
  return pino(options, logTo ?? standardOutput());
}

function standardOutput(): DestinationStream {
  const output = destination({ sync: false, ...(isMainThread && BUFFER) });
  // Writing to a closed terminal fails; shutdown must still work.
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
 * The parts of an error that are safe to log. Database errors contain statements and values that may be phone numbers
 * or keys, so only the type of the failure is kept.
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
