import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { RedisStore } from '../redis/redis';
import { WakeUpQueue } from './wake-up-queue';

/** Rings for bulk jobs. A process works on two of them at once. */
@Injectable()
export class BulkJobWakeUps extends WakeUpQueue {
  constructor(redis: RedisStore, @Inject(CONFIG) config: Config) {
    super({ queue: 'bulk-jobs', concurrency: 2, once: true }, redis, config);
  }
}
