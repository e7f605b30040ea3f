import type { Scope } from './scopes';

/** Roles of console users; each includes the previous ones (docs/concepts/access.md#roles). */
export const ROLES = ['VIEWER', 'EDITOR', 'ADMIN'] as const;
export type Role = (typeof ROLES)[number];

/** A role, or the platform token, which includes all roles. */
export type ConsoleRole = Role | 'PLATFORM';

const RANKS: Readonly<Record<ConsoleRole, number>> = { VIEWER: 1, EDITOR: 2, ADMIN: 3, PLATFORM: 4 };

export function suffices(role: ConsoleRole, required: ConsoleRole): boolean {
  return RANKS[role] >= RANKS[required];
}

/**
 * The role that an operation of the Service API requires of the console user, or of the API key's user. Operations that
 * only the console has state theirs in `@Access`.
 */
export const ROLE_OF_SCOPE: Readonly<Record<Scope, Role>> = {
  'links:read': 'VIEWER',
  'links:write': 'EDITOR',
  'campaigns:read': 'VIEWER',
  'campaigns:write': 'EDITOR',
  'apps:read': 'VIEWER',
  'apps:write': 'ADMIN',
  'domains:read': 'VIEWER',
  'domains:write': 'ADMIN',
  'contacts:read': 'EDITOR',
  'contacts:write': 'EDITOR',
  'unsubscribes:read': 'EDITOR',
  'unsubscribes:write': 'EDITOR',
  'segments:read': 'VIEWER',
  'segments:write': 'EDITOR',
  'analytics:read': 'VIEWER',
  'webhooks:read': 'ADMIN',
  'webhooks:write': 'ADMIN',
};
