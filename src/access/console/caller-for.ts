import type { Requester } from '../caller';
import type { User } from '../user.entity';

/** The user as the caller of a change during sign-in, before there is a session. */
export function callerFor(
  { id, username, role, permissions, organizationId }: User,
  ip: string,
): Requester & { readonly organizationId: number } {
  const actor = { type: 'USER', id, name: username } as const;
  return { actor, userId: id, username, permissions: new Set(permissions), role, ip, organizationId };
}

/** A user who signs in, or whose password was tried. */
export function signingIn(
  id: number,
  username: string,
  organizationId: number,
  ip: string,
): Requester & { readonly organizationId: number } {
  const actor = { type: 'USER', id, name: username } as const;
  return { actor, userId: id, username, permissions: new Set(), role: null, ip, organizationId };
}
