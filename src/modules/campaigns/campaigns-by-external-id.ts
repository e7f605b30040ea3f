import { Injectable } from '@nestjs/common';
import { ExternalIds } from '../tracked-links/external-ids';
import type { CampaignResponse } from './campaign.dto';
import { CampaignViewsService } from './campaign-views.service';
import type { SaveCampaignRequest } from './campaigns.dto';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';

@Injectable()
export class CampaignsByExternalId extends ExternalIds<SaveCampaignRequest, CampaignResponse> {
  constructor(repository: CampaignsRepository, campaigns: CampaignsService, views: CampaignViewsService) {
    super(repository, {
      get: (caller, id) => views.get(caller, id),
      create: async (caller, request) => views.ofNew(await campaigns.create(caller, request)),
      update: async (caller, id, request) => views.ofChanged(await campaigns.update(caller, id, request)),
      remove: (caller, id) => campaigns.remove(caller, id),
    });
  }
}
