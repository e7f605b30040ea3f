import type { CachedCampaign } from '../campaigns/campaign-cache';
import type { CachedLink } from '../links/link-cache';

export type TrackedLink = CachedLink | CachedCampaign;
