import { takeRoom } from '../organizations/room';
import type { Role } from '../roles';
import { User } from '../user.entity';
import { orTaken } from './users.errors';
import type { Tx } from '../../infrastructure/database/database';

type NewUser = Omit<User, 'id' | 'lastSignInAt' | 'createdAt' | 'updatedAt'>;

/** @throws LimitReached; AlreadyExists if another user has the name or the address */
export async function addUser(tx: Tx, user: NewUser, now: Date): Promise<User> {
  const users = tx.repository(User);
  const { organizationId } = user;
  await takeRoom(tx, organizationId, 'users', () => users.countBy({ organizationId }));
  return users.save(users.create({ ...user, createdAt: now, updatedAt: now })).catch(orTaken(user.username));
}

/** The role of a new user: ADMIN for the first one of an organization, else `role`. */
export async function roleOfNew(tx: Tx, organizationId: number, role: Role): Promise<Role> {
  return (await tx.repository(User).existsBy({ organizationId })) ? role : 'ADMIN';
}
