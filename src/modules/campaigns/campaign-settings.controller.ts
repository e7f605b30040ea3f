import { ApiTags } from '@nestjs/swagger';
import { ServiceController } from '../../access/service-controller';
import { settingsController } from '../tracked-links/settings/settings.controller';
import { TrackedLinkSettings } from '../tracked-links/settings/tracked-link-settings';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';

@ApiTags('Campaigns')
@ServiceController('campaigns/:id/settings')
export class CampaignSettingsController extends settingsController('Campaign') {
  constructor(campaigns: CampaignsRepository, service: CampaignsService) {
    super(new TrackedLinkSettings(campaigns, service));
  }
}
