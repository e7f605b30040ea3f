import { Field, listOf } from '../../common/http/api-field';
import { UncheckedList } from '../../common/validation/lists';
import { BulkCounts, BulkItemResult } from '../tracked-links/bulk/bulk.dto';
import { CampaignResponse } from './campaign.dto';
import { CreateCampaignRequest } from './campaigns.dto';

export class BulkCreateCampaignsRequest {
  @UncheckedList(() => CreateCampaignRequest, {
    min: 1,
    max: 1000,
    description: 'Campaigns to create: each as in `POST /campaigns`, and each validated individually',
  })
  items!: unknown[];
}

export class BulkCampaignResult extends BulkItemResult {
  @Field('The campaign; null if the item failed', undefined, { type: CampaignResponse, nullable: true })
  campaign!: CampaignResponse | null;
}

export class BulkCreateCampaignsResponse extends BulkCounts {
  @Field('One result per item, in order', undefined, listOf(BulkCampaignResult))
  results!: BulkCampaignResult[];
}
