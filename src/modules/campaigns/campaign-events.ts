import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/tx';
import { TrackedLinkEvents, type TrackedLinkView } from '../tracked-links/tracked-link-events';
import { CampaignViewsService } from './campaign-views.service';
import type { CampaignResponse } from './campaign.dto';
import type { Campaign } from './campaign.entity';
import { CampaignsRepository, type CountedCampaign } from './campaigns.repository';

/** Campaigns in webhooks, in the form of API responses. */
@Injectable()
export class CampaignEvents implements TrackedLinkView<Campaign> {
  constructor(
    readonly rows: CampaignsRepository,
    private readonly views: CampaignViewsService,
    events: TrackedLinkEvents,
  ) {
    events.register(this);
  }

  show(tx: Tx, organizationId: number, campaigns: readonly CountedCampaign[]): Promise<CampaignResponse[]> {
    return this.views.toResponses(organizationId, campaigns, tx);
  }
}
