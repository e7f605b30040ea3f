import { Menu } from '@mantine/core';
import { IconArchive, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useTexts } from '../../texts/texts';
import { linkTexts } from './texts';

interface Props {
  of: { readonly enabled: boolean; readonly archived: boolean };
  change: (change: { enabled: boolean } | { archived: boolean }) => Promise<unknown>;
}

/** Menu items that enable or disable a link or campaign, and archive or restore it. */
export function SwitchItems({ of: { enabled, archived }, change }: Props) {
  const t = useTexts(linkTexts);
  const Power = enabled ? IconPlayerPause : IconPlayerPlay;
  return (
    <>
      <Menu.Item leftSection={<Power size={16} />} onClick={() => void change({ enabled: !enabled })}>
        {t(enabled ? 'disable' : 'enable')}
      </Menu.Item>
      <Menu.Item leftSection={<IconArchive size={16} />} onClick={() => void change({ archived: !archived })}>
        {t(archived ? 'unarchive' : 'archive')}
      </Menu.Item>
    </>
  );
}
