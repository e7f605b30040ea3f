import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { AppLookup } from '../apps/cache/app-lookup.service';
import { TrackedLinkFilter } from '../tracked-links/list/tracked-link-filter';
import type { TrackedLinkFilters } from '../tracked-links/list/tracked-link-list.dto';
import { TrackedLinkParts, TrackedLinksService } from '../tracked-links/tracked-links.service';
import { type CampaignResponse, toCampaignResponse } from './campaign.dto';
import type { Campaign } from './campaign.entity';
import { CampaignLimit } from './campaign-limit';
import { CreateCampaignRequest } from './campaigns.dto';
import { CampaignsRepository, type CountedCampaign } from './campaigns.repository';
import type { Tx } from '../../infrastructure/database/database';

@Injectable()
export class CampaignsService extends TrackedLinksService<Campaign, CampaignResponse> {
  override readonly createRequest = CreateCampaignRequest;

  constructor(
    parts: TrackedLinkParts,
    rows: CampaignsRepository,
    limit: CampaignLimit,
    private readonly apps: AppLookup,
  ) {
    super(parts, { rows, limit });
  }

  override async show(
    organizationId: number,
    campaigns: readonly CountedCampaign[],
    tx?: Tx,
  ): Promise<CampaignResponse[]> {
    const appIds = campaigns.flatMap(({ iosAppId, androidAppId }) => [iosAppId, androidAppId]);
    const [placeOf, apps] = await Promise.all([
      this.parts.places.findMany(organizationId, campaigns),
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

  override async filterOf(organizationId: number, query: TrackedLinkFilters): Promise<TrackedLinkFilter> {
    const { searches, clock } = this.parts;
    const search = await searches.of('campaign', organizationId, query.search, foldName);
    return new TrackedLinkFilter({ kind: 'campaign', organizationId, search, now: clock.date() }, query);
  }

  protected override ownColumns(
    { name }: { name?: string | null },
    creator: Caller | null = null,
  ): Partial<Campaign> {
    return {
      ...(name && { name, foldedName: foldName(name) }),
      ...(creator && { username: creator.username }),
    };
  }
}

/** Normalizes names and search terms, so that letter case and the encoding of accents make no difference. */
function foldName(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
