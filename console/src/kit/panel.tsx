import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { focusedNow, giveBackFocus } from './focus';
import { usePanelEntry } from './panel-history';
import { mayLeave } from './typed';

export interface PanelProps {
  opened: boolean;
  title: string;
  onClose: () => void;
  /** Whether the panel is in the URL of the page, by `usePanels`. */
  addressed?: boolean;
  size?: 'md' | 'lg' | 'xl';
  children: ReactNode;
}

/** A side panel for forms. Closing it in any way asks before unsaved input is lost. */
export function Panel({ opened, title, onClose, addressed = false, size = 'lg', children }: PanelProps) {
  const t = useTexts(common);
  const close = useClosing(opened, addressed, onClose);
  return (
    <Drawer
      opened={opened}
      onClose={close}
      title={title}
      position="right"
      size={size}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Drawer>
  );
}

/** Adds a history entry for an overlay, and restores the focus afterwards. @returns the function that closes it */
export function useClosing(opened: boolean, addressed: boolean, onClose: () => void): () => void {
  // Mantine restores the focus only for overlays that stay mounted.
  useEffect(() => {
    if (!opened) return;
    const before = focusedNow();
    return () => {
      giveBackFocus(before);
    };
  }, [opened]);
  usePanelEntry(opened, addressed, onClose);
  return () =>
    void mayLeave().then((may) => {
      if (may) onClose();
    });
}
