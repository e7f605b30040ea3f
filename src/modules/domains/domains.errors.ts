import { DomainError } from '../../common/errors/domain-error';
import type { SameCodes } from './domain-uses';

/** The custom domain belongs to another organization, or is neither VERIFIED nor ACTIVE. */
export class DomainNotUsable extends DomainError {
  constructor(field = 'customDomainId') {
    const message = 'must be a VERIFIED or ACTIVE custom domain of the organization';
    super('DOMAIN_NOT_USABLE', `${field}: ${message}`, { details: [{ field, message }] });
  }
}

export class ReservedAlias extends DomainError {
  constructor(field: string) {
    const message = 'is a reserved word';
    super('RESERVED_ALIAS', `${field}: ${message}`, { details: [{ field, message }] });
  }
}

/** The domain has links or campaigns that would permanently stop working. */
export class DomainInUse extends DomainError {
  /** @param counts number of links and campaigns, by kind */
  constructor(domainName: string, counts: Readonly<Record<string, number>>) {
    const uses = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
    const message = `${domainName} is in use (${uses.join(', ')}); pass force=true to delete it anyway`;
    super('DOMAIN_IN_USE', message, { ...counts });
  }
}

/** Codes of the domain that lead to different links or campaigns differ in letter case alone. */
export class CodesCollide extends DomainError {
  constructor(domainName: string, { total, collisions }: SameCodes) {
    const message = `${domainName} has codes that differ in letter case alone: ${total}`;
    super('CODES_COLLIDE', message, { total, collisions });
  }
}
