const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after each failed attempt the next one follows (docs/webhooks.md#retries). */
export const RETRY_STEPS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
] as const;

/** Up to 20 % either way; what is missing is for the time that it takes to ring. */
const JITTER = 0.18;

/**
 * How long to wait after a failed attempt, or null when it was the last one.
 * @param attempts how many there were
 * @param retryAfterMs what the receiver asked for: heeded up to twice the step
 * @param random 0 to 1
 */
export function retryDelay(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const step = RETRY_STEPS_MS[attempts - 1];
  if (step === undefined) return null;
  const usual = step * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(usual, Math.min(retryAfterMs ?? 0, 2 * step)));
}

/** Milliseconds that a Retry-After header asks for: seconds, or a date. Null when it says nothing. */
export function parseRetryAfter(header: string | string[] | undefined, now: number): number | null {
  const text = [header].flat()[0]?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
