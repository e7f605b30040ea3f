import { DomainError } from '../../common/errors/domain-error';
import type { SameCodes } from './domain-uses';

export class DestinationNotAllowed extends DomainError {
  constructor(field: string, reason: string) {
    const details = [{ field, message: reason }];
    super(400, 'DESTINATION_NOT_ALLOWED', `${field}: ${reason}`, { details });
  }
}

/** The custom domain belongs to another organization, or is neither VERIFIED nor ACTIVE. */
export class DomainNotUsable extends DomainError {
  constructor(field = 'customDomainId') {
    const message = 'must be a VERIFIED or ACTIVE custom domain of the organization';
    super(400, 'DOMAIN_NOT_USABLE', `${field}: ${message}`, { details: [{ field, message }] });
  }
}

export class ReservedAlias extends DomainError {
  constructor(field: string) {
    const message = 'is a reserved word';
    super(400, 'RESERVED_ALIAS', `${field}: ${message}`, { details: [{ field, message }] });
  }
}

/** The name has a holder, or the organization has already added it. */
export class DomainTaken extends DomainError {
  constructor(domainName: string) {
    super(409, 'DOMAIN_TAKEN', `${domainName} is already in use by an organization`);
  }
}

/** Another organization has had this subdomain of the short domain, and its published links must not lead elsewhere. */
export class DomainKept extends DomainError {
  constructor(domainName: string) {
    super(409, 'DOMAIN_TAKEN', `${domainName} is kept for the organization that had it before`);
  }
}

/** The domain has links or campaigns that would permanently stop working. */
export class DomainInUse extends DomainError {
  /** @param counts number of links and campaigns, by kind */
  constructor(domainName: string, counts: Readonly<Record<string, number>>) {
    const uses = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
    const message = `${domainName} is in use (${uses.join(', ')}); pass force=true to delete it anyway`;
    super(409, 'DOMAIN_IN_USE', message, { ...counts });
  }
}

/** Codes of the domain that lead to different links or campaigns differ in letter case alone. */
export class CodesCollide extends DomainError {
  constructor(domainName: string, { total, collisions }: SameCodes) {
    const message = `${domainName} has codes that differ in letter case alone: ${total}`;
    super(409, 'CODES_COLLIDE', message, { total, collisions });
  }
}

/** Only a VERIFIED or ACTIVE domain can be revoked. */
export class DomainNotVerified extends DomainError {
  constructor() {
    super(409, 'DOMAIN_NOT_VERIFIED', 'The domain is not verified, so it cannot be revoked');
  }
}
