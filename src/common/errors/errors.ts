import { DomainError, type FieldError } from './domain-error';

export class ValidationFailed extends DomainError {
  constructor(details: FieldError[]) {
    super('VALIDATION_FAILED', details.map((d) => `${d.field}: ${d.message}`).join('; '), { details });
  }

  static field(field: string, message: string): ValidationFailed {
    return new ValidationFailed([{ field, message }]);
  }
}

export class MalformedJson extends DomainError {
  constructor(message = 'The body is not valid JSON') {
    super('MALFORMED_JSON', message);
  }
}

/** The body is truncated, or its bytes do not match its Content-Encoding. */
export class BrokenBody extends MalformedJson {}

export class InvalidDateRange extends DomainError {
  /** @param problem the problem with the range, as a sentence about the field */
  constructor(field: string, problem: string) {
    super('INVALID_DATE_RANGE', `${field} ${problem}`, { details: [{ field, message: problem }] });
  }
}

export class InvalidCursor extends DomainError {
  constructor(field = 'cursor', message = 'must be a nextCursor that this feed returned') {
    super('INVALID_CURSOR', `${field}: ${message}`, { details: [{ field, message }] });
  }
}

export class NotFound extends DomainError {
  /** @param field request field with the id; omitted if the id is in the path */
  constructor(what = 'Resource', field?: string) {
    const details = field === undefined ? {} : { details: [{ field, message: 'not found' }] };
    super('NOT_FOUND', `${what} not found`, details);
  }
}

export class MethodNotAllowed extends DomainError {
  constructor(method: string, allowed: readonly string[]) {
    const headers = { Allow: allowed.join(', ') };
    super('METHOD_NOT_ALLOWED', `${method} is not allowed here; use ${headers.Allow}`, {}, headers);
  }
}

export class PayloadTooLarge extends DomainError {
  constructor(limit: string) {
    super('PAYLOAD_TOO_LARGE', `The body is larger than ${limit}`);
  }
}

export class UnsupportedMediaType extends DomainError {
  constructor(message: string) {
    super('UNSUPPORTED_MEDIA_TYPE', message);
  }
}

export class Unavailable extends DomainError {
  constructor(message = 'A data store is unavailable or overloaded; try again shortly') {
    super('UNAVAILABLE', message, {}, { 'Retry-After': '5' });
  }
}
