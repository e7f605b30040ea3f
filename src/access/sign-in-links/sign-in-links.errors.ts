import { DomainError } from '../../common/errors/domain-error';

/** The same error for unknown, expired and used links, so that a guess reveals nothing. */
export class SignInLinkInvalid extends DomainError {
  constructor() {
    super(401, 'SIGN_IN_LINK_INVALID', 'The sign-in link is unknown, has been used, or has expired');
  }
}
