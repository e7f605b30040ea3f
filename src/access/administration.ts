import { PermissionDenied, RoleRequired } from './access.errors';
import type { Requester } from './caller';
import { type ConsoleRole, suffices } from './roles';

export function hasRole({ role }: Requester, required: ConsoleRole): boolean {
  return role !== null && suffices(role, required);
}

/** @throws RoleRequired if the caller has a lower role */
export function assertRole(caller: Requester, required: ConsoleRole): void {
  if (!hasRole(caller, required)) throw new RoleRequired(required);
}

/** @throws RoleRequired unless the caller is that user or an ADMIN */
export function assertMayActFor(caller: Requester, userId: number): void {
  if (caller.userId !== userId) assertRole(caller, 'ADMIN');
}

/**
 * Callers can only give access to permissions that they have themselves: to a user, by an API key, or by setting the
 * password of another user.
 * @throws RoleRequired, PermissionDenied
 */
export function assertMayGrant(caller: Requester, permissions: readonly string[]): void {
  assertRole(caller, 'ADMIN');
  const beyond = permissions.find((permission) => !caller.permissions.has(permission));
  if (beyond) throw new PermissionDenied(beyond, `Only a caller with the permission ${beyond} may grant it`);
}
