import { DomainError } from '../../common/errors/domain-error';
import type { TrackedLinkKind } from '../clicks/click';
import { FIELD_NAMES } from './fields/field-names';

/** The alias or code is used on the domain, or was used and cannot be reused. */
export class AliasTaken extends DomainError {
  constructor(kind: TrackedLinkKind, code: string, isAlias = true) {
    const field = isAlias ? FIELD_NAMES[kind].alias : 'code';
    const details = [{ field, message: 'is already taken on this domain' }];
    const what = isAlias ? 'alias' : 'code';
    super('ALIAS_TAKEN', `The ${what} "${code}" is already taken on this domain`, { details });
  }
}

export class ExternalIdTaken extends DomainError {
  constructor(kind: TrackedLinkKind) {
    const [field, message] = ['externalId', `already belongs to another ${kind}`];
    super('EXTERNAL_ID_TAKEN', `${field}: ${message}`, { details: [{ field, message }] });
  }
}
