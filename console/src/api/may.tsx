import type { ReactNode } from 'react';
import { ROLES, type OperationId } from './roles.gen';
import { me } from './session';
import { useStore } from './store';

const ORDER = ['VIEWER', 'EDITOR', 'ADMIN'];

/** Whether the signed-in user may call an operation, by the role that the OpenAPI document names. */
export function useMay(operation: OperationId): boolean {
  const user = useStore(me);
  return user !== null && mayCall(user.role, operation);
}

export function mayCall(role: string, operation: OperationId): boolean {
  const needed: string | null = ROLES[operation];
  if (needed === null) return true;
  return ORDER.includes(needed) && ORDER.indexOf(role) >= ORDER.indexOf(needed);
}

/** Shows its children to users who may call the operation. */
export function May({ call, children }: { call: OperationId; children: ReactNode }) {
  return useMay(call) ? children : null;
}
