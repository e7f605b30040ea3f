import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { InvalidationBus } from '../../../infrastructure/caching/invalidation-bus';
import { RedisStore } from '../../../infrastructure/redis/redis';
import type { TrackedLinkKind } from '../../clicks/click';
import { OrganizationCache } from '../../../access/organizations/organization-cache';
import { AppLookup } from '../../apps/cache/app-lookup.service';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** Where one kind is kept, and who must be told of its changes. */
export interface KindCache {
  readonly table: string;
  /** Column of the code. */
  readonly code: string;
  changed(tx: Tx, trackedLinks: readonly { domainId: number; code: string }[]): void;
}

/** What directories of links and campaigns read from, and hear changes by. */
@Injectable()
export class TrackedLinkStores {
  private readonly directories = new Map<TrackedLinkKind, KindCache>();

  constructor(
    readonly database: Database,
    readonly apps: AppLookup,
    readonly organizations: OrganizationCache,
    readonly redis: RedisStore,
    readonly bus: InvalidationBus,
    @Inject(CONFIG) readonly config: Config,
  ) {}
  /** Each directory makes itself known to what works on links and campaigns alike. */
  add(kind: TrackedLinkKind, directory: KindCache): void {
    this.directories.set(kind, directory);
  }

  directory(kind: TrackedLinkKind): KindCache {
    const directory = this.directories.get(kind);
    if (!directory) throw new Error(`There is no directory of kind ${kind}`);
    return directory;
  }
}
