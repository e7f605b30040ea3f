import { Injectable } from '@nestjs/common';
import { AppDeletions } from '../apps/app-deletions';
import { TargetAppTie } from '../tracked-links/app-link-cleanup';
import { CampaignDirectory } from './campaign-cache';

/** Lets campaigns go of apps that are deleted. */
@Injectable()
export class CampaignAppTie extends TargetAppTie {
  constructor(deletions: AppDeletions, directory: CampaignDirectory) {
    super('campaigns', 'campaigns', 'alias', directory);
    deletions.register(this);
  }
}
