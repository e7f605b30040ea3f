import { koreanDetail, koreanError, koreanMessage, koreanProblem } from '../texts/problems';
import { KOREAN_FIELDS } from '../texts/problems-ko';
import { language } from '../texts/texts';
import type { components } from './schema.gen';
import { ServiceAwayError } from './session-fetch';

export type ApiError = components['schemas']['ErrorResponse'];

export function isApiError(error: unknown): error is ApiError {
  return (
    typeof error === 'object' && error !== null && 'code' in error && 'message' in error && 'status' in error
  );
}

/** The console refuses to send something, and says why. */
export class Refused extends Error {}

/** Whether the same call may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof ServiceAwayError || (isApiError(error) && [502, 503, 504].includes(error.status));
}

/** What the API said; null if it said nothing. */
export function apiMessage(error: unknown): string | null {
  if (error instanceof Refused) return error.message;
  if (!isApiError(error)) return null;
  return language() === 'ko' ? koreanError(error) : error.message;
}

/** Problems of fields, each worded to follow the name of its field. */
export function fieldProblems(error: unknown): { field: string; message: string }[] {
  const details = isApiError(error) ? (error.details ?? []) : [];
  return details.map(({ field, message }) => ({
    field,
    message: language() === 'ko' ? (koreanProblem(message) ?? koreanMessage('')) : message,
  }));
}

/** A problem with the name of its field. */
export function namedProblem(detail: { field: string; message: string }): string {
  return language() === 'ko' ? koreanDetail(detail) : `${detail.field}: ${detail.message}`;
}

/** A readable name for a field without a label: `redirectUrl` becomes "Redirect url". */
export function fieldName(field: string): string {
  if (language() === 'ko') return KOREAN_FIELDS[field] ?? field;
  const words = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the API said of one row or item among others. */
export function itemMessage(message: string, code?: string): string {
  return language() === 'ko' ? koreanMessage(message, code) : message;
}
