import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Page } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import type { Tx } from '../../infrastructure/database/tx';
import { AppLookup } from '../apps/cache/app-lookup.service';
import { TrackedLinkFilter } from '../tracked-links/list/tracked-link-filter';
import { TrackedLinkListQuery } from '../tracked-links/list/tracked-link-list.query';
import { TrackedLinkPlaces } from '../tracked-links/tracked-link-places';
import { TrackedLinkSearch } from '../tracked-links/list/tracked-link-search';
import { type CampaignResponse, toCampaignResponse } from './campaign.dto';
import type { Campaign } from './campaign.entity';
import type { ListCampaignsQuery } from './campaigns.dto';
import { type CountedCampaign, CampaignsRepository } from './campaigns.repository';
import { foldName } from './fold-name';

/** Builds campaign responses, including clicks, addresses and apps from other modules. */
@Injectable()
export class CampaignViewsService {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly lists: TrackedLinkListQuery,
    private readonly searches: TrackedLinkSearch,
    private readonly places: TrackedLinkPlaces,
    private readonly apps: AppLookup,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound */
  get({ organizationId }: Caller, id: number): Promise<CampaignResponse> {
    return this.read(organizationId, id);
  }

  async list({ organizationId }: Caller, query: ListCampaignsQuery): Promise<Page<CampaignResponse>> {
    const search = await this.searches.of('campaign', organizationId, query.search, foldName);
    const now = this.clock.date();
    const filter = new TrackedLinkFilter({ kind: 'campaign', organizationId, search, now }, query);
    const { trackedLinks, total } = await this.lists.run(this.campaigns, filter, query);
    return Page.of(await this.toResponses(organizationId, trackedLinks), total, query);
  }

  ofChanged({ organizationId, id }: Campaign): Promise<CampaignResponse> {
    return this.read(organizationId, id);
  }

  /** The response for a campaign that has just been created, which has no clicks. */
  ofNew(campaign: Campaign): Promise<CampaignResponse> {
    return this.toResponse(Object.assign(campaign, { clickCount: 0, health: null }));
  }

  ofFound(campaign: CountedCampaign): Promise<CampaignResponse> {
    return this.toResponse(campaign);
  }

  private async read(organizationId: number, id: number): Promise<CampaignResponse> {
    return this.toResponse(await this.campaigns.get(organizationId, id));
  }

  private async toResponse(campaign: CountedCampaign): Promise<CampaignResponse> {
    const [response] = await this.toResponses(campaign.organizationId, [campaign]);
    return response as CampaignResponse;
  }

  /** @param tx shows the deletion of an app before it is committed */
  async toResponses(
    organizationId: number,
    campaigns: readonly CountedCampaign[],
    tx?: Tx,
  ): Promise<CampaignResponse[]> {
    const appIds = campaigns.flatMap(({ iosAppId, androidAppId }) => [iosAppId, androidAppId]);
    const [placeOf, apps] = await Promise.all([
      this.places.findMany(organizationId, campaigns),
      this.apps.findMany(
        organizationId,
        appIds.filter((id) => id !== null),
        tx,
      ),
    ]);
    return campaigns.map((campaign) =>
      toCampaignResponse(campaign, {
        ...placeOf(campaign),
        clickCount: campaign.clickCount,
        health: campaign.health,
        iosApp: apps.get(campaign.iosAppId ?? 0) ?? null,
        androidApp: apps.get(campaign.androidAppId ?? 0) ?? null,
      }),
    );
  }
}
