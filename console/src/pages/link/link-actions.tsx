import { Button } from '@mantine/core';
import { IconExternalLink, IconPencil } from '@tabler/icons-react';
import { May, useMay } from '../../api/may';
import { ActionsMenu, DeleteItem } from '../../kit/actions-menu';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { changeLinks } from '../links/change-links';
import { addressOf, type Link } from '../links/link';
import { DuplicateItem } from '../links/link-columns';
import { linkTexts } from '../links/texts';
import { SwitchItems } from '../links/switch-items';
import { useRemove } from '../links/use-remove';
import { linkPageTexts } from './texts';

export function LinkActions({ link, onEdit }: { link: Link; onEdit: () => void }) {
  const t = useTexts(linkPageTexts);
  const l = useTexts(linkTexts);
  const c = useTexts(common);
  const mayChange = useMay('changeOrganizationShortUrls');
  const remove = useRemove('link', link);
  return (
    <>
      <Button
        component="a"
        href={link.link}
        target="_blank"
        rel="noopener noreferrer"
        variant="default"
        leftSection={<IconExternalLink size={16} />}
      >
        {t('open')}
      </Button>
      <May call="updateOrganizationShortUrl">
        <Button leftSection={<IconPencil size={16} />} onClick={onEdit}>
          {c('edit')}
        </Button>
      </May>
      {mayChange && (
        <ActionsMenu label={l('actionsOf', { name: addressOf(link) })}>
          <DuplicateItem id={link.id} />
          <SwitchItems
            of={link}
            change={(change) => changeLinks([link.id], change, { kind: 'link', links: [link] })}
          />
          <DeleteItem onClick={() => void remove()} />
        </ActionsMenu>
      )}
    </>
  );
}
