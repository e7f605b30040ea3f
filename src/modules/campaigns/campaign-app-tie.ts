import { Injectable } from '@nestjs/common';
import { AppDeletions } from '../apps/app-deletions';
import { TargetAppTie } from '../targets/app-tie';
import { CampaignDirectory } from './campaign-directory';

/** Lets campaigns go of apps that are deleted. */
@Injectable()
export class CampaignAppTie extends TargetAppTie {
  constructor(deletions: AppDeletions, directory: CampaignDirectory) {
    super('campaigns', 'campaigns', 'alias', directory);
    deletions.register(this);
  }
}
