import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { focusedNow, giveBackFocus } from './focus';
import { usePanelEntry } from './panel-history';
import { mayLeave } from './typed';

interface Props {
  opened: boolean;
  title: string;
  onClose: () => void;
  /** Whether it stands in the address of the page, by `usePanels`. */
  addressed?: boolean;
  size?: 'md' | 'lg' | 'xl';
  children: ReactNode;
}

/** A panel at the side, for forms. Whatever closes it asks before typed text is lost. */
export function Panel({ opened, title, onClose, addressed = false, size = 'lg', children }: Props) {
  const t = useTexts(common);
  // The drawer gives the focus back only where it stays mounted, and many panels do not.
  useEffect(() => {
    if (!opened) return;
    const before = focusedNow();
    return () => {
      giveBackFocus(before);
    };
  }, [opened]);
  usePanelEntry(opened, addressed, onClose);
  const close = async () => {
    if (await mayLeave()) onClose();
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
