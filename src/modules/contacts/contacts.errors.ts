import { violatedConstraint } from '../../infrastructure/database/unique-violation';
import { DomainError } from '../../common/errors/domain-error';

/** An administrator has blocked reactivation (docs/concepts/contacts.md#deletion-and-re-creation). */
export class ContactBlocked extends DomainError {
  constructor() {
    super(403, 'CONTACT_BLOCKED', 'The contact is blocked and stays deactivated');
  }
}

class ExternalUserIdTaken extends DomainError {
  constructor() {
    const message = 'already belongs to another contact';
    super(409, 'EXTERNAL_USER_ID_TAKEN', `externalUserId: ${message}`, {
      details: [{ field: 'externalUserId', message }],
    });
  }
}

class GroupNameTaken extends DomainError {
  constructor() {
    super(409, 'GROUP_NAME_TAKEN', 'The organization already has a group with that name');
  }
}

export class DefaultGroup extends DomainError {
  constructor() {
    super(409, 'DEFAULT_GROUP', 'The default group cannot be deleted');
  }
}

/** For `catch` of a promise: maps the unique violation of a concurrent change to ExternalUserIdTaken. */
export function orExternalUserIdTaken(error: unknown): never {
  throw violatedConstraint(error) === 'contacts_external_user_key' ? new ExternalUserIdTaken() : error;
}

export function orGroupNameTaken(error: unknown): never {
  throw violatedConstraint(error) === 'contact_groups_name_key' ? new GroupNameTaken() : error;
}
