import { violatedConstraint } from '../../infrastructure/database/unique-violation';
import { DomainError } from '../../common/errors/domain-error';
import { AlreadyExists } from '../access.errors';

/** For a promise's `catch`: concurrent creations of a name fail on the unique constraint. */
export function orUsernameTaken(username: string): (error: unknown) => never {
  return (error) => {
    if (violatedConstraint(error) !== 'users_username_key') throw error;
    throw new AlreadyExists('USERNAME_TAKEN', `The user name ${username} is already taken`);
  };
}

/** The last ADMIN of an organization can be neither demoted nor deleted. */
export class LastAdmin extends DomainError {
  constructor() {
    super(409, 'LAST_ADMIN', 'The organization needs at least one other ADMIN first');
  }
}
