import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { InvalidationBus } from '../../../infrastructure/caching/invalidation-bus';
import { RedisStore } from '../../../infrastructure/redis/redis';
import { OrganizationCache } from '../../../access/organizations/organization-cache';
import { AppLookup } from '../../apps/cache/app-lookup.service';
import { Database } from '../../../infrastructure/database/database';

/** What the caches of links and campaigns load from, and hear changes by. */
@Injectable()
export class TrackedLinkStores {
  constructor(
    readonly database: Database,
    readonly apps: AppLookup,
    readonly organizations: OrganizationCache,
    readonly redis: RedisStore,
    readonly bus: InvalidationBus,
    @Inject(CONFIG) readonly config: Config,
  ) {}
}
