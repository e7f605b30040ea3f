import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { RateLimitStorageModule } from '../../access/guards/rate-limits.module';
import { AppsModule } from '../apps/apps.module';
import { ClicksModule } from '../clicks/clicks.module';
import { DomainsModule } from '../domains/domains.module';
import { WebhookOutboxModule } from '../webhooks/webhook-outbox.module';
import { AliasAvailability } from './aliases/alias-availability';
import { BulkParts } from './api/bulk-parts';
import { BulkChanges } from './bulk/bulk-changes';
import { BulkCreation } from './bulk/bulk-creation';
import { ImportedRows } from './csv/imported-rows';
import { TrackedLinkImport } from './csv/tracked-link-import';
import { ExistingTrackedLinks } from './find-if-exists/existing-tracked-links';
import { TrackedLinkListQuery } from './list/tracked-link-list.query';
import { TrackedLinkSearch } from './list/tracked-link-search';
import { OgFetcher } from './open-graph/og-fetcher';
import { OgFetches } from './open-graph/og-fetches';
import { PageReader } from './open-graph/page-reader';
import { QrService } from './qr/qr.service';
import { QrSettingsController } from './qr-settings/qr-settings.controller';
import { QrSettings } from './qr-settings/qr-settings.entity';
import { QrSettingsService } from './qr-settings/qr-settings.service';
import { LinkPasses } from './restrictions/link-passes';
import { LinkPasswordAttempts } from './restrictions/link-password-attempts';
import { TagsController } from './tags/tags.controller';
import { TagsQuery } from './tags/tags.query';
import { TrackedLinkBatches } from './tracked-link-batches';
import { CampaignCache, LinkCache, TrackedLinkCacheDependencies } from './tracked-link-cache';
import { TrackedLinkChanges } from './tracked-link-changes';
import { TrackedLinkDrafts } from './tracked-link-drafts';
import { TrackedLinkEvents } from './tracked-link-events';
import { TrackedLinkPlaces } from './tracked-link-places';
import { TrackedLinkRules } from './tracked-link-rules';
import { TrackedLinkParts } from './tracked-links.service';

const EXPORTS = [
  BulkParts,
  CampaignCache,
  LinkCache,
  LinkPasses,
  LinkPasswordAttempts,
  PageReader,
  QrService,
  TrackedLinkChanges,
  TrackedLinkEvents,
  TrackedLinkParts,
  TrackedLinkRules,
];

/** Links and campaigns, except for what is shown apart: fields, rules, URLs, changes, lists, files, caches. */
@Module({
  imports: [
    TypeOrmModule.forFeature([QrSettings]),
    AccessModule,
    RateLimitStorageModule,
    AppsModule,
    ClicksModule,
    DomainsModule,
    WebhookOutboxModule,
  ],
  controllers: [QrSettingsController, TagsController],
  providers: [
    ...EXPORTS,
    AliasAvailability,
    BulkChanges,
    BulkCreation,
    ExistingTrackedLinks,
    ImportedRows,
    OgFetcher,
    OgFetches,
    QrSettingsService,
    TagsQuery,
    TrackedLinkBatches,
    TrackedLinkCacheDependencies,
    TrackedLinkDrafts,
    TrackedLinkImport,
    TrackedLinkListQuery,
    TrackedLinkPlaces,
    TrackedLinkSearch,
  ],
  exports: EXPORTS,
})
export class TrackedLinksModule {}
