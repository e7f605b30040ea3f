import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isApiError } from '../../api/errors';
import { me } from '../../api/session';
import { useStore } from '../../api/store';
import { Result } from '../../kit/loading';
import { useTexts } from '../../texts/texts';
import type { MeResponse_permissions } from '../../api/values.gen';
import { journeyTexts } from './texts';

type Permission = (typeof MeResponse_permissions)[number];

/** Whether the signed-in user has a permission. */
export function useHas(permission: Permission): boolean {
  return useStore(me)?.permissions.includes(permission) ?? false;
}

interface Props<T> {
  /** What is shown, in a sentence: `Revenue`. */
  part: string;
  needs?: Permission;
  of: { data: T | undefined; error: unknown; refetch: () => unknown };
  children: (data: T) => ReactNode;
}

/** A part of the page that not everybody may see: what is missing, in place of figures. */
export function Shown<T>({ part, needs, of, children }: Props<T>) {
  const t = useTexts(journeyTexts);
  const permissions = useStore(me)?.permissions ?? [];
  if (needs !== undefined && !permissions.includes(needs)) {
    return <Hidden>{t('hiddenPermission', { part, permission: needs })}</Hidden>;
  }
  const { error } = of;
  if (isApiError(error) && (error.code === 'ADDON_REQUIRED' || error.code === 'PERMISSION_DENIED')) {
    return <Hidden>{t('hidden', { part, reason: error.message })}</Hidden>;
  }
  return <Result of={of}>{children}</Result>;
}

function Hidden({ children }: { children: string }) {
  return (
    <Alert color="gray" icon={<IconLock size={18} />}>
      {children}
    </Alert>
  );
}
