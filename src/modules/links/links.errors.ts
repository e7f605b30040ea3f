import { DomainError } from '../../common/errors/domain-error';

/** The link has a password, and the call has none. */
export class LinkPasswordRequired extends DomainError {
  constructor() {
    super(403, 'LINK_PASSWORD_REQUIRED', 'The link has a password: ask the person for it');
  }
}

export class LinkPasswordWrong extends DomainError {
  constructor() {
    super(403, 'LINK_PASSWORD_WRONG', 'That is not the password of the link');
  }
}
