import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { settingsFieldsOf } from '../targets/target-settings';
import type { UpdateSettingsRequest } from '../targets/target-settings.dto';
import type { Campaign } from './campaign.entity';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';

/** What the console sets on a campaign (4-decisions §4). */
@Injectable()
export class CampaignSettingsService {
  constructor(
    private readonly repository: CampaignsRepository,
    private readonly campaigns: CampaignsService,
  ) {}

  /** @throws NotFound */
  get(caller: Caller, id: number): Promise<Campaign> {
    return this.repository.get(caller.organizationId, id);
  }

  /** @throws NotFound, ValidationFailed when the window is missing, or longer than the plan allows */
  update(caller: Caller, id: number, request: UpdateSettingsRequest): Promise<Campaign> {
    const fields = settingsFieldsOf(caller, request);
    return this.campaigns.change(caller, id, () => fields);
  }
}
