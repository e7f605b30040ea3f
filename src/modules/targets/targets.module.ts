import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { DomainsModule } from '../domains/domains.module';
import { DirectoryStores } from './directory-stores';
import { OgFetcher } from './og-fetcher';
import { OgFetches } from './og-fetches';
import { PageReader } from './page-reader';
import { TargetBatches } from './target-batches';
import { TargetChanges } from './target-changes';
import { TargetListQuery } from './target-list.query';
import { TargetPlaces } from './target-places';
import { TargetRules } from './target-rules';
import { TargetSearch } from './target-search';

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
