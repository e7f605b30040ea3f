import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { saveByExternalId, withExternalId } from '../tracked-links/save-by-external-id';
import type { CampaignResponse } from './campaign.dto';
import { CampaignViewsService } from './campaign-views.service';
import type { SaveCampaignRequest } from './campaigns.dto';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';

/** Campaigns by the id that they have in the organization's own system (docs/concepts/links.md#external-ids). */
@Injectable()
export class CampaignsByExternalId {
  constructor(
    private readonly repository: CampaignsRepository,
    private readonly campaigns: CampaignsService,
    private readonly views: CampaignViewsService,
  ) {}

  /** @throws NotFound */
  async get(caller: Caller, externalId: string): Promise<CampaignResponse> {
    return this.views.get(caller, await this.idOf(caller, externalId));
  }

  /** Creates the campaign or changes it. @throws what `CampaignsService.create` and `update` throw */
  save(
    caller: Caller,
    externalId: string,
    body: SaveCampaignRequest,
  ): Promise<{ isNew: boolean; saved: CampaignResponse }> {
    const request = withExternalId(externalId, body);
    return saveByExternalId({
      find: async () =>
        (await this.repository.findByExternalId(caller.organizationId, externalId))?.id ?? null,
      create: async () => this.views.ofNew(await this.campaigns.create(caller, request)),
      update: async (id) => this.views.ofChanged(await this.campaigns.update(caller, id, request)),
    });
  }

  /** @throws NotFound */
  async remove(caller: Caller, externalId: string): Promise<void> {
    await this.campaigns.remove(caller, await this.idOf(caller, externalId));
  }

  private async idOf({ organizationId }: Caller, externalId: string): Promise<number> {
    return (await this.repository.getByExternalId(organizationId, externalId)).id;
  }
}
