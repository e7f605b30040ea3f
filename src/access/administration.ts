import { PermissionDenied } from './access.errors';
import { PERMISSIONS, type Requester } from './caller';

/** Whether a console caller administers the organization: the platform, or a user with every permission. */
export function isAdministrator({ actor, permissions }: Requester): boolean {
  if (actor.type === 'PLATFORM') return true;
  return actor.type === 'USER' && PERMISSIONS.every((permission) => permissions.has(permission));
}

/** @throws PermissionDenied unless the caller is that user or an administrator */
export function assertMayActFor(caller: Requester, userId: number): void {
  if (caller.userId !== userId) assertAdministrator(caller);
}

/** @throws PermissionDenied unless the caller is an administrator */
export function assertAdministrator(caller: Requester): void {
  if (isAdministrator(caller)) return;
  const message = 'Only a user with every permission, or the platform token, may do this';
  throw new PermissionDenied('administrator', message);
}

/** Callers can only grant permissions that they have. @throws PermissionDenied */
export function assertMayGrant(caller: Requester, permissions: readonly string[]): void {
  assertAdministrator(caller);
  const beyond = permissions.find((permission) => !caller.permissions.has(permission));
  if (beyond) throw new PermissionDenied(beyond, `Only a caller with the permission ${beyond} may grant it`);
}
