import type { ReactNode } from 'react';
import { type OperationId, PERMISSIONS, ROLES } from './access.gen';
import { me, type Me } from './session';
import { useStore } from './store';

const ORDER = ['VIEWER', 'EDITOR', 'ADMIN'];

/** Whether the signed-in user may call an operation, according to the role and permission in the OpenAPI document. */
export function useMay(operation: OperationId): boolean {
  return mayCall(useStore(me), operation);
}

export function mayCall(user: Me | null, operation: OperationId): boolean {
  if (!user) return false;
  const role: string | null = ROLES[operation];
  const permissions: Partial<Record<OperationId, Me['permissions'][number]>> = PERMISSIONS;
  const permission = permissions[operation];
  const hasRole = role === null || (ORDER.includes(role) && ORDER.indexOf(user.role) >= ORDER.indexOf(role));
  return hasRole && (permission === undefined || user.permissions.includes(permission));
}

export function May({ call, children }: { call: OperationId; children: ReactNode }) {
  return useMay(call) ? children : null;
}
