import { violatedConstraint } from '../../infrastructure/database/unique-violation';
import { DomainError } from '../../common/errors/domain-error';

/** For `catch` of a promise: maps the unique violation of a concurrent change to EXTERNAL_USER_ID_TAKEN. */
export function orExternalUserIdTaken(error: unknown): never {
  throw violatedConstraint(error) === 'contacts_external_user_key'
    ? DomainError.inField('EXTERNAL_USER_ID_TAKEN', 'externalUserId', 'already belongs to another contact')
    : error;
}

export function orGroupNameTaken(error: unknown): never {
  throw violatedConstraint(error) === 'contact_groups_name_key' ? new DomainError('GROUP_NAME_TAKEN') : error;
}
