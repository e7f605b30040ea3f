import { DomainError } from '../../common/errors/domain-error';

/** A link or campaign may not lead there. */
export class DestinationNotAllowed extends DomainError {
  constructor(field: string, reason: string) {
    const details = [{ field, message: reason }];
    super(400, 'DESTINATION_NOT_ALLOWED', `${field}: ${reason}`, { details });
  }
}

/** The custom domain is not the organization's, or not VERIFIED or ACTIVE. */
export class DomainNotUsable extends DomainError {
  constructor() {
    const message = 'must be a VERIFIED or ACTIVE custom domain of the organization';
    const details = [{ field: 'customDomainId', message }];
    super(400, 'DOMAIN_NOT_USABLE', `customDomainId: ${message}`, { details });
  }
}

/** The service keeps that word for its own paths. */
export class ReservedAlias extends DomainError {
  constructor(field: string) {
    const message = 'is a reserved word';
    super(400, 'RESERVED_ALIAS', `${field}: ${message}`, { details: [{ field, message }] });
  }
}

/** The name has a holder, or the organization has added it already. */
export class DomainTaken extends DomainError {
  constructor(domainName: string) {
    super(409, 'DOMAIN_TAKEN', `${domainName} is taken: an organization has added it`);
  }
}

/** Only a domain that is VERIFIED or ACTIVE can be revoked. */
export class DomainNotVerified extends DomainError {
  constructor() {
    super(409, 'DOMAIN_NOT_VERIFIED', 'The domain is not verified, so there is nothing to revoke');
  }
}
