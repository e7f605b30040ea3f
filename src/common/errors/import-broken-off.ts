import { DomainError } from './domain-error';

/** A file that cannot be read from a line on. What the rows before that line came to is in `done`. */
export class ImportBrokenOff extends DomainError {
  /** @param done fields of the body beside the error's own */
  constructor(field: string, message: string, done: object) {
    super(400, 'VALIDATION_FAILED', `${field}: ${message}`, { details: [{ field, message }], ...done });
  }
}
