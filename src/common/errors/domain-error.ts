import { STATUS_CODES } from 'node:http';
import { toDateTime } from '../time/format';
import type { ErrorCode } from './error-codes';

/** An invalid input field, listed in the `details` of a validation error. */
export interface FieldError {
  /** Path of the field: `url`, `items[3].value`, `X-App-ID`. */
  field: string;
  message: string;
  /** With EDIT_CONFLICT: what the body has, and what is stored. */
  sent?: unknown;
  stored?: unknown;
}

/**
 * Fields that an error adds to the common body: `feature`, `addonCode`, `permission`, `details`, `requestId`.
 */
export interface ErrorExtras {
  /** Replaces the status phrase in `error`, as docs/access documents for two errors. */
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
 * A client error. Services throw these; only the filter writes bodies. `code` is stable and part of the API.
 */
export class DomainError extends Error {
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly extras: ErrorExtras = {},
    /** Additional response headers, such as Retry-After. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = new.target.name;
  }

  /** The error body; overridden by errors with another body (docs/api.md#errors). */
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
