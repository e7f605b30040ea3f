import { Modal } from '@mantine/core';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { type PanelProps, useClosing } from './panel';

/** A centered dialog for short forms, which asks before unsaved input is lost, like `Panel`. */
export function Dialog({ opened, title, onClose, size = 'md', children }: Omit<PanelProps, 'addressed'>) {
  const t = useTexts(common);
  const close = useClosing(opened, false, onClose);
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Modal>
  );
}
