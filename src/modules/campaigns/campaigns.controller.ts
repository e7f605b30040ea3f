import { ApiTags } from '@nestjs/swagger';
import { ServiceController } from '../../access/service-controller';
import { bulkController } from '../tracked-links/api/bulk.controller';
import { BulkParts } from '../tracked-links/api/bulk-parts';
import { trackedLinksController } from '../tracked-links/api/tracked-links.controller';
import { QrService } from '../tracked-links/qr/qr.service';
import type { CampaignResponse } from './campaign.dto';
import type { Campaign } from './campaign.entity';
import { CAMPAIGN_FACE } from './campaign-face';
import { CampaignsService } from './campaigns.service';

@ApiTags('Campaigns')
@ServiceController('campaigns')
export class CampaignsController extends trackedLinksController<Campaign, CampaignResponse>(CAMPAIGN_FACE) {
  constructor(
    readonly service: CampaignsService,
    qr: QrService,
  ) {
    super(qr);
  }
}

@ApiTags('Campaigns')
@ServiceController('campaigns')
export class CampaignsBulkController extends bulkController<Campaign, CampaignResponse>(CAMPAIGN_FACE) {
  constructor(
    readonly service: CampaignsService,
    parts: BulkParts,
  ) {
    super(parts);
  }
}
