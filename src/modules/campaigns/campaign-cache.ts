import { Injectable } from '@nestjs/common';
import {
  TrackedLinkCacheDependencies,
  type CachedTrackedLink,
  type StoredTrackedLink,
  TrackedLinkCache,
} from '../tracked-links/tracked-link-cache';
import type { Campaign } from './campaign.entity';

type StoredCampaign = StoredTrackedLink & Pick<Campaign, 'name'>;

/** A campaign as cached for redirects; `code` is its alias. */
export type CachedCampaign = CachedTrackedLink<'campaign', StoredCampaign>;

/** Looks up campaigns by domain and alias. */
@Injectable()
export class CampaignCache extends TrackedLinkCache<'campaign', StoredCampaign> {
  constructor(dependencies: TrackedLinkCacheDependencies) {
    super({ kind: 'campaign', more: ['name'] }, dependencies);
  }
}
