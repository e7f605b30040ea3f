import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { DomainsModule } from '../domains/domains.module';
import { SessionStatisticsModule } from '../sessions/statistics/session-statistics.module';
import { TargetsModule } from '../tracked-links/tracked-links.module';
import { Campaign } from './campaign.entity';
import { CampaignAppTie } from './campaign-app-cleanup';
import { CampaignDirectory } from './campaign-cache';
import { CampaignStatisticsService } from './campaign-statistics.service';
import { CampaignViewsService } from './campaign-views.service';
import { CampaignsConsoleController } from './campaigns.console.controller';
import { CampaignsController } from './campaigns.controller';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';
import { DisabledCampaignsConsoleController } from './disabled-campaigns.console.controller';

/** Campaigns: links that are counted by customer and tracker. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Campaign]),
    AccessModule,
    AppsModule,
    DomainsModule,
    SessionStatisticsModule,
    TargetsModule,
  ],
  controllers: [CampaignsController, CampaignsConsoleController, DisabledCampaignsConsoleController],
  providers: [
    CampaignAppTie,
    CampaignDirectory,
    CampaignStatisticsService,
    CampaignViewsService,
    CampaignsRepository,
    CampaignsService,
  ],
  exports: [CampaignDirectory, CampaignsRepository],
})
export class CampaignsModule {}
