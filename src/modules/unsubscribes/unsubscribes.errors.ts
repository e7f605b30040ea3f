import { DomainError } from '../../common/errors/domain-error';
import type { ImportResponse } from './import/unsubscribe-import.dto';

/** A file that can't be read any further. The rows before that line are registered. */
export class ImportBrokenOff extends DomainError {
  constructor(line: number, problem: string, imported: ImportResponse) {
    const details = [{ field: 'body', message: `line ${line} ${problem}` }];
    super(400, 'VALIDATION_FAILED', `body: line ${line} ${problem}`, { details, imported });
  }
}
