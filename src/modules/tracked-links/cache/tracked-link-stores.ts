import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { InvalidationBus } from '../../../infrastructure/caching/invalidation-bus';
import { RedisStore } from '../../../infrastructure/redis/redis';
import type { TargetKind } from '../../clicks/tracked-link-kind';
import { OrganizationSnapshots } from '../../../access/organizations/organization-cache';
import { ReadPool } from '../../../infrastructure/database/read-pool';
import type { Tx } from '../../../infrastructure/database/transactions';
import { AppsService } from '../../apps/cache/app-lookup.service';

/** Where one kind is kept, and who must be told of its changes. */
export interface KindDirectory {
  readonly table: string;
  /** Column of the code. */
  readonly code: string;
  changed(tx: Tx, targets: readonly { domainId: number; code: string }[]): void;
}

/** What directories of links and campaigns read from, and hear changes by. */
@Injectable()
export class DirectoryStores {
  private readonly directories = new Map<TargetKind, KindDirectory>();

  constructor(
    readonly readPool: ReadPool,
    readonly apps: AppsService,
    readonly organizations: OrganizationSnapshots,
    readonly redis: RedisStore,
    readonly bus: InvalidationBus,
    @Inject(CONFIG) readonly config: Config,
  ) {}
  /** Each directory makes itself known to what works on links and campaigns alike. */
  add(kind: TargetKind, directory: KindDirectory): void {
    this.directories.set(kind, directory);
  }

  directory(kind: TargetKind): KindDirectory {
    const directory = this.directories.get(kind);
    if (!directory) throw new Error(`There is no directory of kind ${kind}`);
    return directory;
  }
}
