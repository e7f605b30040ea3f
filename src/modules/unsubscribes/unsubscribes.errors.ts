import { DomainError } from '../../common/errors/domain-error';

export class InvalidCursor extends DomainError {
  constructor() {
    const message = 'must be the nextCursor of an earlier answer of this very feed and channel';
    const details = [{ field: 'cursor', message }];
    super(400, 'INVALID_CURSOR', `cursor: ${message}`, { details });
  }
}
