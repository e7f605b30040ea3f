import { violatedConstraint } from '../../infrastructure/database/unique-violation';
import { AlreadyExists } from '../access.errors';
import { User } from '../user.entity';
import type { Tx } from '../../infrastructure/database/database';

/** Whether no user has the name in any letter case. */
export async function isUsernameFree(tx: Tx, username: string): Promise<boolean> {
  return (await tx.query('SELECT FROM users WHERE lower(username) = lower($1)', [username])).length === 0;
}

function usernameTaken(username: string): AlreadyExists {
  return new AlreadyExists('USERNAME_TAKEN', 'username', `The user name ${username} is already taken`);
}

/**
 * For `catch` of a promise: maps a unique violation on name or address, which a concurrent request may have taken, to
 * AlreadyExists.
 */
export function orTaken(username: string): (error: unknown) => never {
  return (error) => {
    switch (violatedConstraint(error)) {
      case 'users_username_key':
        throw usernameTaken(username);
      case 'users_email_key':
        throw emailTaken();
      default:
        throw error;
    }
  };
}

/**
 * @param email normalized
 * @throws AlreadyExists if a user has it
 */
export async function assertEmailFree(tx: Tx, email: string): Promise<void> {
  if (await tx.repository(User).existsBy({ email })) throw emailTaken();
}

function emailTaken(): AlreadyExists {
  return new AlreadyExists('EMAIL_TAKEN', 'email', 'Another user has that e-mail address');
}
