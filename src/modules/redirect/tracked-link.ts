import type { CampaignTarget } from '../campaigns/campaign-cache';
import type { LinkTarget } from '../links/link-cache';

/** What a path of a short domain leads to. */
export type Target = LinkTarget | CampaignTarget;
