import { DomainError } from '../../common/errors/domain-error';

/** One answer for all, so that a guess tells nothing. */
export class SignInLinkInvalid extends DomainError {
  constructor() {
    super(401, 'SIGN_IN_LINK_INVALID', 'The sign-in link is unknown, has been used, or has expired');
  }
}
