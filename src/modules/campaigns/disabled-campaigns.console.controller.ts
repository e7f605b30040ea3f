import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller';
import { disabledController } from '../../access/organizations/disabled.controller';
import { CampaignsService } from './campaigns.service';

const DisabledController = disabledController({
  operation: 'Campaign',
  noun: 'campaign',
  effect:
    'The campaign answers 410 within a second, and its clicks are not counted. The owner sees the reason, but can ' +
    'neither enable the campaign nor reuse its alias. A repeated call replaces the reason.',
});

@ApiTags('Console: campaigns')
@Controller('api/v1/console/organizations/:organizationId/campaigns/:id/disabled')
export class DisabledCampaignsConsoleController extends DisabledController {
  constructor(private readonly campaigns: CampaignsService) {
    super();
  }

  override setDisabled(caller: Caller, id: number, reason: string | null): Promise<unknown> {
    return this.campaigns.disable(caller, id, reason);
  }
}
