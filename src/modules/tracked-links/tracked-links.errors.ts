import { DomainError } from '../../common/errors/domain-error';

/** Another one of the domain has that alias or code, or had it and may not give it away. */
export class AliasTaken extends DomainError {
  constructor(code: string, kind: 'alias' | 'code' = 'alias') {
    super(409, 'ALIAS_TAKEN', `The ${kind} "${code}" is already taken on this domain`);
  }
}

/** The app is not the organization's, or of another platform. */
export class AppNotUsable extends DomainError {
  constructor(field: string, platform: string) {
    const message = `must be an ${platform} app of the organization`;
    super(400, 'APP_NOT_USABLE', `${field}: ${message}`, { details: [{ field, message }] });
  }
}
