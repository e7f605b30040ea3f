import { QueryFailedError } from 'typeorm';
import { AlreadyThere } from '../access.errors';

/** For a promise's `catch`: two creations of one name at the same time meet in the unique constraint. */
export function orUsernameTaken(username: string): (error: unknown) => never {
  return (error) => {
    const cause = error instanceof QueryFailedError ? (error.driverError as { constraint?: string }) : {};
    if (cause.constraint !== 'users_username_key') throw error;
    throw new AlreadyThere('USERNAME_TAKEN', `The user name ${username} is taken`);
  };
}
