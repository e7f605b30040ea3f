import type { CachedCampaign } from '../campaigns/campaign-cache';
import type { CachedLink } from '../links/link-cache';

/** What a path of a short domain leads to. */
export type TrackedLink = CachedLink | CachedCampaign;
