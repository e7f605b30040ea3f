import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { RateLimitStorageModule } from '../../access/guards/rate-limits.module';
import { AppDeletions } from '../apps/app-deletions';
import { AppsModule } from '../apps/apps.module';
import { ClickStatisticsModule } from '../click-statistics/click-statistics.module';
import { ClicksModule } from '../clicks/clicks.module';
import { DomainsModule } from '../domains/domains.module';
import { SessionStatisticsModule } from '../sessions/statistics/session-statistics.module';
import { TrackedLinkAppCleanup } from '../tracked-links/app-link-cleanup';
import { TrackedLinkChanges } from '../tracked-links/tracked-link-changes';
import { TrackedLinksModule } from '../tracked-links/tracked-links.module';
import { Link } from './link.entity';
import { LinkLimit } from './link-limit';
import { DestinationPreviews } from './previews/destination-previews';
import { PreviewsConsoleController } from './previews/previews.console.controller';
import { LinkStatisticsService } from './statistics/link-statistics.service';
import { LinkStatisticsController } from './statistics/link-statistics.controller';
import {
  LinksBulkController,
  LinksController,
  LinkClicksController,
  LinkSettingsController,
  DisabledLinksConsoleController,
} from './links.controller';
import { LinksRepository } from './links.repository';
import { LinksService } from './links.service';
import { OrganizationLinks } from './organization-links';

@Injectable()
class LinkAppCleanup extends TrackedLinkAppCleanup {
  constructor(deletions: AppDeletions, changes: TrackedLinkChanges) {
    super('link', changes);
    deletions.register(this);
  }
}

@Module({
  imports: [
    TypeOrmModule.forFeature([Link]),
    AccessModule,
    RateLimitStorageModule,
    AppsModule,
    ClicksModule,
    ClickStatisticsModule,
    DomainsModule,
    SessionStatisticsModule,
    TrackedLinksModule,
  ],
  controllers: [
    // In this order, because `urls/:id` would match `urls/export`, and `urls/:id/stats` an external id.
    PreviewsConsoleController,
    LinksBulkController,
    LinksController,
    LinkClicksController,
    LinkStatisticsController,
    LinkSettingsController,
    DisabledLinksConsoleController,
  ],
  providers: [
    LinkAppCleanup,
    LinkLimit,
    DestinationPreviews,
    LinkStatisticsService,
    LinksRepository,
    LinksService,
    OrganizationLinks,
  ],
  exports: [LinkLimit, LinksRepository, OrganizationLinks],
})
export class LinksModule {}
