import type { Caller } from './caller';
import { WaypostConnectionError, type WaypostError } from './errors';

const FIRST_DELAY = 500;
const MAX_DELAY = 8_000;
/** The longest wait that an answer may ask for. The service never asks for more. */
const MAX_RETRY_AFTER = 60;
const UNAVAILABLE = [502, 503, 504];
/** Codes of Node, Deno and Bun for connections that were never made. */
const NOT_CONNECTED = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused/;

/**
 * Milliseconds to wait before a call is repeated, or null if it must not be.
 * @param isRepeatable whether the service does no more when it gets the call twice
 */
export function delayBefore(error: WaypostError, retries: number, isRepeatable: boolean): number | null {
  if (!isTransient(error) || (mayHaveArrived(error) && !isRepeatable)) return null;
  const { retryAfter } = error;
  if (retryAfter !== undefined) return retryAfter > MAX_RETRY_AFTER ? null : retryAfter * 1000;
  // Half of it is random, so that callers that failed together do not return together.
  return (Math.min(FIRST_DELAY * 2 ** retries, MAX_DELAY) * (1 + Math.random())) / 2;
}

function isTransient({ status, code }: WaypostError): boolean {
  if (status === undefined) return code !== 'INVALID_ANSWER';
  return status === 429 || UNAVAILABLE.includes(status) || code === 'IDEMPOTENCY_IN_PROGRESS';
}

/** Whether the service may have processed the call. */
export function mayHaveArrived(error: WaypostError): boolean {
  if (error instanceof WaypostConnectionError) return !NOT_CONNECTED.test(codesOf(error.cause));
  return error.status !== 429;
}

function codesOf(cause: unknown): string {
  const { code, cause: inner } = (cause ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return [code, inner?.code].join(' ');
}

/** Waits; an aborted signal ends the wait. */
export async function sleepUnlessAborted(caller: Caller, delay: number, signal?: AbortSignal): Promise<void> {
  await caller.sleep(delay, signal).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
}
