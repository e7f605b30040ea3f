import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isApiError } from '../../api/errors';
import { Result } from '../../kit/loading';
import { errorText } from '../../kit/toasts';
import { useTexts } from '../../texts/texts';
import { journeyTexts } from './texts';

interface Props<T> {
  /** Name of the part, such as `Revenue`. */
  part: string;
  of: { data: T | undefined; error: unknown; refetch: () => unknown; isPlaceholderData: boolean };
  children: (data: T) => ReactNode;
}

/** A part of the page that needs an add-on; without it, says so instead of showing figures. */
export function Shown<T>({ part, of, children }: Props<T>) {
  const t = useTexts(journeyTexts);
  const { error } = of;
  if (isApiError(error) && error.code === 'ADDON_REQUIRED') {
    return <Hidden>{t('hidden', { part, reason: errorText(error) })}</Hidden>;
  }
  return <Result of={of}>{children}</Result>;
}

/** Tells why something is not shown. */
export function Hidden({ children }: { children: string }) {
  return (
    <Alert color="gray" icon={<IconLock size={18} />}>
      {children}
    </Alert>
  );
}
