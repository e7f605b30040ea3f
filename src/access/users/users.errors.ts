import { violatedConstraint } from '../../infrastructure/database/unique-violation';
import { AlreadyExists } from '../access.errors';

/** For a promise's `catch`: a name or an address that another user has, also one created concurrently. */
export function orTaken(username: string): (error: unknown) => never {
  return (error) => {
    switch (violatedConstraint(error)) {
      case 'users_username_key':
        throw new AlreadyExists('USERNAME_TAKEN', `The user name ${username} is already taken`);
      case 'users_email_key':
        throw new AlreadyExists('EMAIL_TAKEN', 'Another user has that e-mail address');
      default:
        throw error;
    }
  };
}
