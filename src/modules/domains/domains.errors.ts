import { DomainError } from '../../common/errors/domain-error';

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
