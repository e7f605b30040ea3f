import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { RedisStore } from '../redis/redis';
import { Doorbell } from './wake-up-queue';

/** Rings for bulk jobs. A process works on two of them at once. */
@Injectable()
export class BulkJobBell extends Doorbell {
  constructor(redis: RedisStore, @Inject(CONFIG) config: Config) {
    super({ queue: 'bulk-jobs', concurrency: 2, once: true }, redis, config);
  }
}
