import { DomainError } from '../../common/errors/domain-error';

/** The same error for unknown, expired and used invitations, so that a guess reveals nothing. */
export class InvitationNotFound extends DomainError {
  constructor() {
    const message = 'The invitation does not exist, has been used or revoked, or has expired';
    super(404, 'INVITATION_NOT_FOUND', message);
  }
}
