import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { confirm } from './confirm';

interface Props {
  opened: boolean;
  title: string;
  onClose: () => void;
  /** Whether something was typed that closing would lose: it asks first. */
  dirty?: boolean;
  size?: 'md' | 'lg' | 'xl';
  children: ReactNode;
}

/** A panel at the side, for forms. */
export function Panel({ opened, title, onClose, dirty = false, size = 'lg', children }: Props) {
  const t = useTexts(common);
  // The drawer gives the focus back only where it stays mounted, and many panels do not.
  useEffect(() => {
    if (!opened) return;
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [opened]);
  const close = async () => {
    if (
      dirty &&
      !(await confirm({
        title: t('discard'),
        text: t('discardText'),
        confirm: t('discardYes'),
        danger: true,
      }))
    )
      return;
    onClose();
  };
  return (
    <Drawer
      opened={opened}
      onClose={() => void close()}
      title={title}
      position="right"
      size={size}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Drawer>
  );
}
