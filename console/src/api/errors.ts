import type { components } from './schema.gen';
import { ServiceAwayError } from './session-fetch';

export type ApiError = components['schemas']['ErrorResponse'];

export function isApiError(error: unknown): error is ApiError {
  return (
    typeof error === 'object' && error !== null && 'code' in error && 'message' in error && 'status' in error
  );
}

/** Whether the same call may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof ServiceAwayError || (isApiError(error) && [502, 503, 504].includes(error.status));
}

/** What the API said; null if it said nothing. */
export function apiMessage(error: unknown): string | null {
  return isApiError(error) ? error.message : null;
}
