import { IconSpeakerphone } from '@tabler/icons-react';
import { useTexts } from '../../texts/texts';
import { ListPage } from '../links/list-page';
import { CampaignPanel } from './campaign-panel';
import { campaignTexts } from './texts';

export function CampaignsPage() {
  const t = useTexts(campaignTexts);
  return (
    <ListPage
      kind="campaign"
      icon={IconSpeakerphone}
      subtitle={t('subtitle')}
      form={({ shown, onClose }) => <CampaignPanel shown={shown} onClose={onClose} />}
    />
  );
}
