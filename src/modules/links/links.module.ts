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
import { EditingConsoleController } from './editing/editing.console.controller';
import { LinkChanges } from './editing/link-changes';
import { LinkTagsQuery } from './editing/link-tags.query';
import { LinkBatches } from './bulk/link-batches';
import { LinkCache } from './link-cache';
import { LinkEvents } from './link-events';
import { LinkLimit } from './link-limit';
import { LinkDrafts } from './link-drafts';
import { LinkExport } from './csv/link-export';
import { LinkImport } from './csv/link-import';
import { ImportedLinks } from './csv/imported-links';
import { LinkClicksController } from './link-clicks.controller';
import { DestinationPreviews } from './previews/destination-previews';
import { PreviewsConsoleController } from './previews/previews.console.controller';
import { LinksByExternalId } from './external-ids/links-by-external-id';
import { LinksByExternalIdController } from './external-ids/links-by-external-id.controller';
import { LinkListQuery } from './link-list.query';
import { LinkPasses } from './restrictions/link-passes';
import { LinkPasswordAttempts } from './restrictions/link-password-attempts';
import { LinkQrService } from './qr/link-qr.service';
import { LinkStatisticsService } from './statistics/link-statistics.service';
import { LinkSettingsConsoleController } from './link-settings.console.controller';
import { LinksBulkController } from './bulk/links-bulk.controller';
import { LinksCsvController } from './csv/links-csv.controller';
import { LinksController } from './links.controller';
import { LinksRepository } from './links.repository';
import { LinksService } from './links.service';
import { OrganizationLinks } from './organization-links';
import { DisabledLinksConsoleController } from './disabled-links.console.controller';

/** Unlinks deleted apps from links. */
@Injectable()
class LinkAppCleanup extends TrackedLinkAppCleanup {
  constructor(deletions: AppDeletions, changes: TrackedLinkChanges) {
    super('link', changes);
    deletions.register(this);
  }
}

/** Short links: creating, changing, listing and importing them. */
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
    // Registered before `urls/:id`, which would match its paths.
    EditingConsoleController,
    PreviewsConsoleController,
    LinksBulkController,
    LinksByExternalIdController,
    LinksCsvController,
    LinkClicksController,
    LinksController,
    LinkSettingsConsoleController,
    DisabledLinksConsoleController,
  ],
  providers: [
    LinkAppCleanup,
    LinkBatches,
    LinkCache,
    LinkChanges,
    LinkDrafts,
    LinkEvents,
    LinkExport,
    LinkImport,
    LinkLimit,
    ImportedLinks,
    LinkListQuery,
    LinkPasses,
    LinkPasswordAttempts,
    DestinationPreviews,
    LinkQrService,
    LinkStatisticsService,
    LinkTagsQuery,
    LinksByExternalId,
    LinksRepository,
    LinksService,
    OrganizationLinks,
  ],
  exports: [LinkCache, LinkLimit, LinkPasses, LinkPasswordAttempts, LinksRepository, OrganizationLinks],
})
export class LinksModule {}
