import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';

interface Props {
  /** Accessible name of the button; default: actions. */
  label?: string;
  /** Whether the menu is in a table row. */
  inRow?: boolean;
  width?: number;
  children: ReactNode;
}

/** Menu of less frequent actions. */
export function ActionsMenu({ label, inRow = false, width, children }: Props) {
  const c = useTexts(common);
  return (
    <Menu position="bottom-end" {...(width !== undefined && { width })}>
      <Menu.Target>
        <ActionIcon
          {...(inRow ? { variant: 'subtle', color: 'gray', size: 26 } : { variant: 'default', size: 36 })}
          aria-label={label ?? c('actions')}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** "Delete" as the last item of a menu, below a divider. */
export function DeleteItem({ onClick }: { onClick: () => void }) {
  const c = useTexts(common);
  return (
    <>
      <Menu.Divider />
      <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} />} onClick={onClick}>
        {c('delete')}
      </Menu.Item>
    </>
  );
}
