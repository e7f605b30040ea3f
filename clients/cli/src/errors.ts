import { WaypostError } from '@waypost/client';
import { EXIT, Failure } from './exit';

/** Prints the error on standard error. @returns the exit code */
export function report(error: unknown): number {
  const message = messageOf(error);
  if (message) process.stderr.write(`waypost: ${message}\n`);
  if (error instanceof Failure) return error.exitCode;
  return error instanceof WaypostError && error.status === 401 ? EXIT.unauthorized : EXIT.failure;
}

/** The reason, with the code of the API. Its messages name the field that is wrong, or the scope that is missing. */
export function messageOf(error: unknown): string {
  if (error instanceof WaypostError) return `${error.message} (${error.code})`;
  return error instanceof Error ? error.message : String(error);
}
