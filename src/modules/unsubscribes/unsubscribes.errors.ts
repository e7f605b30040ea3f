import { DomainError } from '../../common/errors/domain-error';
import type { ImportResponse } from './unsubscribe-import.dto';

export class InvalidCursor extends DomainError {
  constructor() {
    const message = 'must be the nextCursor of an earlier answer of this very feed and channel';
    const details = [{ field: 'cursor', message }];
    super(400, 'INVALID_CURSOR', `cursor: ${message}`, { details });
  }
}

/** A file that can't be read any further. The rows before that line are registered. */
export class ImportBrokenOff extends DomainError {
  constructor(line: number, problem: string, imported: ImportResponse) {
    const details = [{ field: 'body', message: `line ${line} ${problem}` }];
    super(400, 'VALIDATION_FAILED', `body: line ${line} ${problem}`, { details, imported });
  }
}
