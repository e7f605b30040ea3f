import { DomainError } from './domain-error';

/** An imported file cannot be read beyond a line. */
export class ImportBrokenOff extends DomainError {
  /**
   * @param field `body`, or the line
   * @param progress body fields with the results of the preceding rows
   */
  constructor(field: string, message: string, progress: Record<string, unknown>) {
    super(400, 'VALIDATION_FAILED', `${field}: ${message}`, { details: [{ field, message }], ...progress });
  }
}
