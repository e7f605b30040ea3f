import { STATUS_CODES } from 'node:http';
import { toDateTime } from '../time/format';
import { type ErrorCode, errorTerms } from './error-codes';

/** An invalid input field, as `details` of a validation error list it. */
export interface FieldError {
  /** Path of the field, such as `url`, `items[3].value` or `X-App-ID`. */
  field: string;
  message: string;
  /** With EDIT_CONFLICT: the value in the body, and the stored one. */
  sent?: unknown;
  stored?: unknown;
}

export interface ErrorExtras {
  /** Replaces the status phrase in `error`, which two errors need (docs/concepts/access.md#permissions). */
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
 * A client error, thrown by services; ErrorFilter writes the body. `code` is stable and part of the API. Comments name
 * an error by its class, or by its code if it has none of its own: `@throws NotFound, LAST_ADMIN`.
 */
export class DomainError extends Error {
  readonly status: number;

  /** @param message the one in ERROR_CODES, unless another is given */
  constructor(
    readonly code: ErrorCode,
    message: string = errorTerms(code).message,
    readonly extras: ErrorExtras = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = new.target.name;
    this.status = errorTerms(code).status;
  }

  /** An error about one field of the request, which `details` names. */
  static inField(code: ErrorCode, field: string, message: string): DomainError {
    return new DomainError(code, `${field}: ${message}`, { details: [{ field, message }] });
  }

  /** The error body; a few errors override it (docs/api.md#errors). */
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
