import { Button } from '@mantine/core';
import { IconExternalLink, IconPencil } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { client, queries } from '../../../api/client';
import { May, useMay } from '../../../api/may';
import { ActionsMenu, DeleteItem } from '../../../kit/actions-menu';
import { confirm } from '../../../kit/confirm';
import { unwrap } from '../../../kit/form';
import { showDone, showError } from '../../../kit/toasts';
import { common } from '../../../texts/common';
import { useTexts } from '../../../texts/texts';
import { linkPageTexts } from '../../link/texts';
import type { Campaign } from '../campaign';
import { switchCampaign } from '../change-campaign';
import { SwitchItems } from '../../links/switch-items';
import { campaignTexts } from '../texts';

export function CampaignActions({ campaign, onEdit }: { campaign: Campaign; onEdit: () => void }) {
  const t = useTexts(campaignTexts);
  const l = useTexts(linkPageTexts);
  const c = useTexts(common);
  const mayDelete = useMay('deleteOrganizationCampaign');
  const remove = useRemove(campaign);
  const { name, link } = campaign;
  return (
    <>
      <Button
        component="a"
        href={link}
        target="_blank"
        rel="noopener noreferrer"
        variant="default"
        leftSection={<IconExternalLink size={16} />}
      >
        {l('open')}
      </Button>
      <May call="updateOrganizationCampaign">
        <Button leftSection={<IconPencil size={16} />} onClick={onEdit}>
          {c('edit')}
        </Button>
      </May>
      {mayDelete && (
        <ActionsMenu label={t('actionsOf', { name })}>
          <SwitchItems of={campaign} change={(change) => switchCampaign(campaign, change)} />
          <DeleteItem onClick={() => void remove()} />
        </ActionsMenu>
      )}
    </>
  );
}

function useRemove({ id, name }: Campaign): () => Promise<void> {
  const t = useTexts(campaignTexts);
  const c = useTexts(common);
  const navigate = useNavigate();
  return async () => {
    const yes = await confirm({
      title: t('deleteTitle'),
      text: t('deleteText'),
      confirm: c('delete'),
      name: name.trim(),
    });
    if (!yes) return;
    try {
      await unwrap(client.DELETE('/campaigns/{id}', { params: { path: { id } } }));
      await navigate({ to: '/campaigns' });
      await queries.invalidateQueries();
      showDone(t('deleted'));
    } catch (error) {
      showError(error);
    }
  };
}
