import { Button } from '@mantine/core';
import { IconExternalLink, IconPencil } from '@tabler/icons-react';
import { May, useMay } from '../../../api/may';
import { ActionsMenu, DeleteItem } from '../../../kit/actions-menu';
import { common } from '../../../texts/common';
import { useTexts } from '../../../texts/texts';
import { linkPageTexts } from '../../link/texts';
import { changeLinks } from '../../links/change-links';
import { calledOf } from '../../links/kinds';
import { SwitchItems } from '../../links/switch-items';
import { linkTexts } from '../../links/texts';
import { useRemove } from '../../links/use-remove';
import type { Campaign } from '../campaign';

export function CampaignActions({ campaign, onEdit }: { campaign: Campaign; onEdit: () => void }) {
  const t = useTexts(linkPageTexts);
  const l = useTexts(linkTexts);
  const c = useTexts(common);
  const mayChange = useMay('changeOrganizationCampaigns');
  const remove = useRemove('campaign', campaign);
  return (
    <>
      <Button
        component="a"
        href={campaign.link}
        target="_blank"
        rel="noopener noreferrer"
        variant="default"
        leftSection={<IconExternalLink size={16} />}
      >
        {t('open')}
      </Button>
      <May call="updateOrganizationCampaign">
        <Button leftSection={<IconPencil size={16} />} onClick={onEdit}>
          {c('edit')}
        </Button>
      </May>
      {mayChange && (
        <ActionsMenu label={l('actionsOf', { name: calledOf(campaign) })}>
          <SwitchItems
            of={campaign}
            change={(change) => changeLinks([campaign.id], change, { kind: 'campaign', links: [campaign] })}
          />
          <DeleteItem onClick={() => void remove()} />
        </ActionsMenu>
      )}
    </>
  );
}
