import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { settingsConsoleController } from '../tracked-links/settings/settings.console.controller';
import { TrackedLinkSettings } from '../tracked-links/settings/tracked-link-settings';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';

@ApiTags('Console: campaigns')
@Controller('api/v1/console/organizations/:organizationId/campaigns/:id/settings')
export class CampaignSettingsConsoleController extends settingsConsoleController('Campaign') {
  constructor(campaigns: CampaignsRepository, service: CampaignsService) {
    super(new TrackedLinkSettings(campaigns, service));
  }
}
