import { DomainError } from '../../common/errors/domain-error';

/** One answer for all, so that a guess tells nothing. */
export class InvitationNotFound extends DomainError {
  constructor() {
    const message = 'The invitation does not exist, has been used or revoked, or has expired';
    super(404, 'INVITATION_NOT_FOUND', message);
  }
}
