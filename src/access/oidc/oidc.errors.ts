import { DomainError } from '../../common/errors/domain-error';

export class OidcNotConfigured extends DomainError {
  constructor() {
    super(404, 'OIDC_NOT_CONFIGURED', 'The service has no identity provider');
  }
}

/** Unknown, used or expired, or begun by another browser. */
export class OidcStateInvalid extends DomainError {
  constructor() {
    super(400, 'OIDC_STATE_INVALID', 'This browser has begun no such sign-in, or has finished it already');
  }
}

export class OidcProviderUnavailable extends DomainError {
  constructor() {
    super(503, 'OIDC_PROVIDER_UNAVAILABLE', 'The identity provider cannot be reached at the moment');
  }
}

/** The provider, or the person there, has said no. */
export class OidcRefused extends DomainError {
  constructor() {
    super(403, 'OIDC_REFUSED', 'The identity provider has refused the sign-in');
  }
}

export class OidcTokenInvalid extends DomainError {
  constructor() {
    super(403, 'OIDC_TOKEN_INVALID', 'The identity provider has sent a token that is not valid here');
  }
}

export class EmailNotVerified extends DomainError {
  constructor() {
    super(403, 'EMAIL_NOT_VERIFIED', 'The identity provider has not verified an e-mail address');
  }
}

/** Neither a user nor an invitation has the address. */
export class NotInvited extends DomainError {
  constructor() {
    super(403, 'NOT_INVITED', 'No user and no invitation has that e-mail address');
  }
}

export class InvitationEmailMismatch extends DomainError {
  constructor() {
    super(403, 'INVITATION_EMAIL_MISMATCH', 'The invitation is for another e-mail address');
  }
}

export class SeveralInvitations extends DomainError {
  constructor() {
    super(
      409,
      'SEVERAL_INVITATIONS',
      'Several organizations have invited that address: open one of the links',
    );
  }
}

/** A person has one user, in one organization. */
export class IdentityTaken extends DomainError {
  constructor() {
    super(409, 'IDENTITY_TAKEN', 'The identity belongs to a user of another organization');
  }
}

/** The address has moved to another account of the provider. */
export class UserLinked extends DomainError {
  constructor() {
    super(409, 'USER_LINKED', 'The user with that e-mail address signs in with another identity');
  }
}
