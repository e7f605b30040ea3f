import { violatedConstraint } from '../../infrastructure/database/unique-violation';
import { AlreadyExists } from '../access.errors';

/** For a promise's `catch`: concurrent creations of a name fail on the unique constraint. */
export function orUsernameTaken(username: string): (error: unknown) => never {
  return (error) => {
    if (violatedConstraint(error) !== 'users_username_key') throw error;
    throw new AlreadyExists('USERNAME_TAKEN', `The user name ${username} is already taken`);
  };
}
