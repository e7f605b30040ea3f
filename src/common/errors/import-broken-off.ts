import { DomainError } from './domain-error';

/** An imported file cannot be read beyond a certain line, or has more rows than the organization's limit allows. */
export class ImportBrokenOff extends DomainError {
  /**
   * @param field `body`, or the line
   * @param progress body fields with the results of the rows before
   * @param includedRows the limit of rows, if it is the reason
   */
  constructor(
    field: string,
    message: string,
    progress: Record<string, unknown>,
    includedRows: number | null = null,
  ) {
    const text = `${field}: ${message}`;
    if (includedRows === null) {
      super('VALIDATION_FAILED', text, { details: [{ field, message }], ...progress });
    } else {
      super('LIMIT_REACHED', text, { limit: includedRows, usage: includedRows, ...progress });
    }
  }
}
