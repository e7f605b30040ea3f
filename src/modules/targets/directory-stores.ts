import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { InvalidationBus } from '../../infrastructure/caching/invalidation-bus';
import { RedisStore } from '../../infrastructure/redis/redis';
import { AppsService } from '../apps/apps.service';

/** What directories of links and campaigns read from, and hear changes by. */
@Injectable()
export class DirectoryStores {
  constructor(
    readonly dataSource: DataSource,
    readonly apps: AppsService,
    readonly redis: RedisStore,
    readonly bus: InvalidationBus,
    @Inject(CONFIG) readonly config: Config,
  ) {}
}
