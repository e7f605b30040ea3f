import { DomainError } from '../../common/errors/domain-error';

export class LinkPasswordRequired extends DomainError {
  constructor() {
    super(403, 'LINK_PASSWORD_REQUIRED', 'The link requires a password');
  }
}

export class LinkPasswordWrong extends DomainError {
  constructor() {
    super(403, 'LINK_PASSWORD_WRONG', 'The password is wrong');
  }
}
