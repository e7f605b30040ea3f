import { DomainError } from '../../common/errors/domain-error';

/** The organization has no such app. The error does not reveal whether another organization has it. */
export class AppNotOwned extends DomainError {
  constructor(field: string) {
    const message = 'does not belong to this organization';
    super('APP_NOT_OWNED', `The app ${message}`, { details: [{ field, message }] });
  }
}
