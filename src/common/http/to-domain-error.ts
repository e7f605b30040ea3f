import { HttpException } from '@nestjs/common';
import { DomainError } from '../errors/domain-error';
import type { ErrorCode } from '../errors/error-codes';
import { NotFound, Unavailable, ValidationFailed } from '../errors/errors';
import { isStoreFailure } from '../errors/store-failure';

/** Error codes for exceptions of Nest and Express, by status. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_FAILED',
  401: 'API_KEY_INVALID',
  403: 'PERMISSION_DENIED',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
};

/** The API error for an exception; null for an internal error. */
export function toDomainError(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  if (error instanceof HttpException) return fromFramework(error);
  return isStoreFailure(error) ? new Unavailable() : null;
}

function fromFramework(error: HttpException): DomainError | null {
  const status = error.getStatus();
  if (error.cause instanceof URIError) {
    return ValidationFailed.field('path', 'must be percent-encoded UTF-8');
  }
  if (status === 404) return new NotFound();
  if (status === 503) return new Unavailable();
  if (status >= 500) return null;
  return new DomainError(CODES[status] ?? 'VALIDATION_FAILED', error.message);
}
