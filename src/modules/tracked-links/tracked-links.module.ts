import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { ClicksModule } from '../clicks/clicks.module';
import { DomainsModule } from '../domains/domains.module';
import { AliasAvailability } from './aliases/alias-availability';
import { WebhookOutboxModule } from '../webhooks/webhook-outbox.module';
import { TrackedLinkCacheDependencies } from './tracked-link-cache';
import { OgFetcher } from './open-graph/og-fetcher';
import { OgFetches } from './open-graph/og-fetches';
import { PageReader } from './open-graph/page-reader';
import { ExistingTrackedLinks } from './find-if-exists/existing-tracked-links';
import { TrackedLinkBatches } from './tracked-link-batches';
import { TrackedLinkChanges } from './tracked-link-changes';
import { TrackedLinkEvents } from './tracked-link-events';
import { TrackedLinkListQuery } from './list/tracked-link-list.query';
import { TrackedLinkPlaces } from './tracked-link-places';
import { TrackedLinkRules } from './tracked-link-rules';
import { TrackedLinkSearch } from './list/tracked-link-search';

const EXPORTS = [
  AliasAvailability,
  ExistingTrackedLinks,
  TrackedLinkCacheDependencies,
  PageReader,
  TrackedLinkBatches,
  TrackedLinkChanges,
  TrackedLinkEvents,
  TrackedLinkListQuery,
  TrackedLinkPlaces,
  TrackedLinkRules,
  TrackedLinkSearch,
];

/** Code that links and campaigns share: fields, rules, URLs, changes and lists. */
@Module({
  imports: [AccessModule, AppsModule, ClicksModule, DomainsModule, WebhookOutboxModule],
  providers: [...EXPORTS, OgFetcher, OgFetches],
  exports: EXPORTS,
})
export class TrackedLinksModule {}
