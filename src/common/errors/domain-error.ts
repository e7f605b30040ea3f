import { STATUS_CODES } from 'node:http';
import { toDateTime } from '../time/format';
import type { ErrorCode } from './error-codes';

/** One invalid input field, as `details` of a validation error lists it. */
export interface FieldError {
  /** Path of the field: `url`, `items[3].value`, `X-App-ID`. */
  field: string;
  message: string;
}

/** What an error adds to the common body: `feature`, `addonCode`, `permission`, `details`, `requestId`. */
export interface ErrorExtras {
  /** Replaces the status phrase in `error` (docs/concepts/access.md#permissions asks for that in two cases). */
  error?: string;
  details?: FieldError[];
  [field: string]: unknown;
}

/** The body of every error (docs/api.md#errors). */
export interface ErrorBody {
  status: number;
  error: string;
  code: ErrorCode;
  message: string;
  timestamp: string;
  [field: string]: unknown;
}

/**
 * Something the caller asked for that can't be done. Services throw these; only the filter knows bodies.
 * `code` is stable and part of the API.
 */
export class DomainError extends Error {
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly extras: ErrorExtras = {},
    /** Response headers that go with it, such as Retry-After. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = new.target.name;
  }

  /** The common body; an error whose body docs/api.md#errors shows otherwise overrides it. */
  toBody(now: Date): object {
    const { error, ...rest } = this.extras;
    const body: ErrorBody = {
      status: this.status,
      error: error ?? STATUS_CODES[this.status] ?? 'Error',
      code: this.code,
      message: this.message,
      timestamp: toDateTime(now),
      ...rest,
    };
    return body;
  }
}
