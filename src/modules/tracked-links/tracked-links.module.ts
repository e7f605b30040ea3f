import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { DomainsModule } from '../domains/domains.module';
import { DirectoryStores } from './cache/tracked-link-stores';
import { OgFetcher } from './open-graph/og-fetcher';
import { OgFetches } from './open-graph/og-fetches';
import { PageReader } from './open-graph/page-reader';
import { TargetBatches } from './tracked-link-batches';
import { TargetChanges } from './tracked-link-changes';
import { TargetListQuery } from './list/tracked-link-list.query';
import { TargetPlaces } from './tracked-link-places';
import { TargetRules } from './tracked-link-rules';
import { TargetSearch } from './list/tracked-link-search';

/** What links and campaigns have alike: their fields, rules, addresses, changes and lists. */
@Module({
  imports: [AccessModule, AppsModule, DomainsModule],
  providers: [
    DirectoryStores,
    OgFetcher,
    OgFetches,
    PageReader,
    TargetBatches,
    TargetChanges,
    TargetListQuery,
    TargetPlaces,
    TargetRules,
    TargetSearch,
  ],
  exports: [
    DirectoryStores,
    TargetBatches,
    TargetChanges,
    TargetListQuery,
    TargetPlaces,
    TargetRules,
    TargetSearch,
  ],
})
export class TargetsModule {}
