import { DomainError, type FieldError } from './domain-error';

export class ValidationFailed extends DomainError {
  constructor(details: FieldError[]) {
    super(400, 'VALIDATION_FAILED', details.map((d) => `${d.field}: ${d.message}`).join('; '), { details });
  }

  static field(field: string, message: string): ValidationFailed {
    return new ValidationFailed([{ field, message }]);
  }
}

export class MalformedJson extends DomainError {
  constructor(message = 'The body is not valid JSON') {
    super(400, 'MALFORMED_JSON', message);
  }
}

/** The body is truncated, or its bytes do not match its Content-Encoding. */
export class BrokenBody extends MalformedJson {}

export class InvalidDateRange extends DomainError {
  /** @param problem the problem with the range, as a sentence about the field */
  constructor(field: string, problem: string) {
    super(400, 'INVALID_DATE_RANGE', `${field} ${problem}`, { details: [{ field, message: problem }] });
  }
}

export class InvalidCursor extends DomainError {
  constructor(field = 'cursor', message = 'must be a nextCursor that this feed returned') {
    super(400, 'INVALID_CURSOR', `${field}: ${message}`, { details: [{ field, message }] });
  }
}

export class NotFound extends DomainError {
  /** @param field request field with the id; omitted if the id is in the path */
  constructor(what = 'Resource', field?: string) {
    const details = field === undefined ? {} : { details: [{ field, message: 'not found' }] };
    super(404, 'NOT_FOUND', `${what} not found`, details);
  }
}

export class MethodNotAllowed extends DomainError {
  constructor(method: string, allowed: readonly string[]) {
    const headers = { Allow: allowed.join(', ') };
    super(405, 'METHOD_NOT_ALLOWED', `${method} is not allowed here; use ${headers.Allow}`, {}, headers);
  }
}

export class PayloadTooLarge extends DomainError {
  constructor(limit: string) {
    super(413, 'PAYLOAD_TOO_LARGE', `The body is larger than ${limit}`);
  }
}

export class UnsupportedMediaType extends DomainError {
  constructor(message: string) {
    super(415, 'UNSUPPORTED_MEDIA_TYPE', message);
  }
}

export class Unavailable extends DomainError {
  constructor(message = 'A data store is unavailable or overloaded; try again shortly') {
    super(503, 'UNAVAILABLE', message, {}, { 'Retry-After': '5' });
  }
}
