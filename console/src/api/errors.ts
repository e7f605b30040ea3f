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

/** The console refuses to send a request; the message says why. */
export class Refused extends Error {}

/** Whether the same request may succeed soon. */
export function isPassing(error: unknown): boolean {
  return error instanceof ServiceAwayError || (isApiError(error) && [502, 503, 504].includes(error.status));
}

/** The message of the API; null without one. */
export function apiMessage(error: unknown): string | null {
  if (error instanceof Refused) return error.message;
  if (!isApiError(error)) return null;
  return language() === 'ko' ? koreanError(error) : error.message;
}

/** Problems with fields, worded to follow the field's name. */
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

/** A readable name of a field without a label: `redirectUrl` becomes "Redirect url". */
export function fieldName(field: string): string {
  if (language() === 'ko') return KOREAN_FIELDS[field] ?? field;
  const words = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The API's message about one row or item. */
export function itemMessage(message: string, code?: string): string {
  return language() === 'ko' ? koreanMessage(message, code) : message;
}
