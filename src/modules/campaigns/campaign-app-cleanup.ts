import { Injectable } from '@nestjs/common';
import { AppDeletions } from '../apps/app-deletions';
import { TrackedLinkAppCleanup } from '../tracked-links/app-link-cleanup';
import { CampaignCache } from './campaign-cache';

/** Lets campaigns go of apps that are deleted. */
@Injectable()
export class CampaignAppCleanup extends TrackedLinkAppCleanup {
  constructor(deletions: AppDeletions, directory: CampaignCache) {
    super('campaigns', 'campaigns', 'alias', directory);
    deletions.register(this);
  }
}
