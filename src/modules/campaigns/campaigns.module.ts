import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { AppDeletions } from '../apps/app-deletions';
import { AppsModule } from '../apps/apps.module';
import { ClickStatisticsModule } from '../click-statistics/click-statistics.module';
import { DomainsModule } from '../domains/domains.module';
import { SessionStatisticsModule } from '../sessions/statistics/session-statistics.module';
import { TrackedLinkAppCleanup } from '../tracked-links/app-link-cleanup';
import { TrackedLinkChanges } from '../tracked-links/tracked-link-changes';
import { TrackedLinksModule } from '../tracked-links/tracked-links.module';
import { Campaign } from './campaign.entity';
import { CampaignStatisticsService } from './campaign-statistics.service';
import { CampaignLimit } from './campaign-limit';
import { CampaignStatisticsController } from './campaign-statistics.controller';
import {
  CampaignsBulkController,
  CampaignsController,
  CampaignClicksController,
  CampaignSettingsController,
  DisabledCampaignsConsoleController,
} from './campaigns.controller';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';

@Injectable()
class CampaignAppCleanup extends TrackedLinkAppCleanup {
  constructor(deletions: AppDeletions, changes: TrackedLinkChanges) {
    super('campaign', changes);
    deletions.register(this);
  }
}

/** Campaigns: links whose clicks are counted by customer and tracker. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Campaign]),
    AccessModule,
    AppsModule,
    ClickStatisticsModule,
    DomainsModule,
    SessionStatisticsModule,
    TrackedLinksModule,
  ],
  controllers: [
    // In this order, because `campaigns/:id` would match `campaigns/export`, and `campaigns/:id/stats` an external id.
    CampaignsBulkController,
    CampaignsController,
    CampaignClicksController,
    CampaignStatisticsController,
    CampaignSettingsController,
    DisabledCampaignsConsoleController,
  ],
  providers: [
    CampaignAppCleanup,
    CampaignLimit,
    CampaignStatisticsService,
    CampaignsRepository,
    CampaignsService,
  ],
  exports: [CampaignsRepository],
})
export class CampaignsModule {}
