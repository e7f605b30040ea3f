import { DomainError } from '../../common/errors/domain-error';
import { etagOf } from './etag';

/** The stored resource has changed since the sender read it. */
export class EditConflict extends DomainError {
  /**
   * @param stored the resource as it is now
   * @param sent the request body
   */
  constructor(stored: Readonly<Record<string, unknown>>, sent: Readonly<Record<string, unknown>>) {
    const details = Object.entries(sent)
      .filter(([field, value]) => field in stored && field !== 'updatedAt' && !isSame(value, stored[field]))
      .map(([field, value]) => ({
        field,
        message: 'has been changed meanwhile, or differs from what is stored',
        sent: value,
        stored: stored[field],
      }));
    const headers = { ETag: etagOf(stored) };
    super('EDIT_CONFLICT', 'Somebody has changed this since you read it', { details, stored }, headers);
  }
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string' && Date.parse(one) === Date.parse(other))
    return true;
  return JSON.stringify(one) === JSON.stringify(other);
}
