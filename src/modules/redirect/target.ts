import type { CampaignTarget } from '../campaigns/campaign-directory';
import type { LinkTarget } from '../links/link-directory';

/** What a path of a short domain leads to. */
export type Target = LinkTarget | CampaignTarget;
