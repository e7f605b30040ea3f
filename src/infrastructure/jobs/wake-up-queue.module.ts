import { BullModule, getQueueToken } from '@nestjs/bull';
import { type DynamicModule, Module } from '@nestjs/common';
import { Config } from '../../config/config';
import { RedisStore } from '../redis/redis';
import { WakeUpQueue } from './wake-up-queue';

/**
 * Registers a queue of wake-ups: `@InjectQueue(name)` gives its `WakeUpQueue`, and the `@Process` method of the
 * `@Processor(name)` class handles it.
 */
@Module({})
export class WakeUpQueueModule {
  static register({ name, once = false }: { name: string; once?: boolean }): DynamicModule {
    const bull = `${name}.bull`;
    return {
      module: WakeUpQueueModule,
      imports: [
        BullModule.registerQueueAsync({
          name: bull,
          inject: [RedisStore],
          useFactory: (redis: RedisStore) => ({
            name,
            prefix: redis.jobsKey,
            createClient: () => redis.connectQueue(),
            // Bull connects on first use; without REDIS_URL it is never used.
            ...{ skipVersionCheck: true },
            // Bull counts a killed worker as a stall and fails the job at the second one; here Postgres decides when a
            // job has failed.
            settings: {
              maxStalledCount: Number.MAX_SAFE_INTEGER,
              lockDuration: 10_000,
              stalledInterval: 5_000,
            },
            defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
          }),
        }),
      ],
      providers: [
        {
          provide: getQueueToken(name),
          inject: [getQueueToken(bull), RedisStore, Config],
          useFactory: (
            queue: ConstructorParameters<typeof WakeUpQueue>[0],
            redis: RedisStore,
            { role }: Config,
          ) => new WakeUpQueue(redis.configured ? queue : null, redis, { works: role !== 'web', once }),
        },
      ],
      exports: [getQueueToken(name)],
    };
  }
}
