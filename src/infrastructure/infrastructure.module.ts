import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../common/time/clock';
import type { Config } from '../config/config';
import { dataSourceOptions } from './database/data-source';
import { CompactedMonths } from './database/compacted-months';
import { Database } from './database/database';
import { Replica } from './database/replica/replica';
import { WrittenInterceptor } from './database/replica/written.interceptor';
import { DATABASE_ADDRESS, type DatabaseAddress } from './database/database-address';
import { InvalidationBus } from './caching/invalidation-bus';
import { PostgresChannel } from './caching/postgres-channel';
import { RedisStore } from './redis/redis';

/** The same name for every installation, because Postgres channels are local to a database. */
const CHANGES_CHANNEL = 'waypost_changes';

function replicaOf(config: Config & { database: DatabaseAddress }, redis: RedisStore): Replica | null {
  const { database, databasePool, replicaMaxLagMs } = config;
  if (!database.replica) return null;
  return new Replica(database.replica, database, redis, {
    poolSize: databasePool,
    maxLagMs: replicaMaxLagMs,
  });
}

@Global()
@Module({})
export class InfrastructureModule implements OnApplicationShutdown {
  constructor(
    @Inject(RedisStore) private readonly redis: RedisStore,
    @Inject(InvalidationBus) private readonly bus: InvalidationBus,
  ) {}

  static of(config: Config & { database: DatabaseAddress }, clock: Clock): DynamicModule {
    return {
      module: InfrastructureModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(config.database.main, config.databasePool),
          autoLoadEntities: true,
          retryAttempts: 0,
        }),
      ],
      providers: [
        { provide: Clock, useValue: clock },
        { provide: RedisStore, useFactory: () => RedisStore.connect(config) },
        {
          provide: InvalidationBus,
          useFactory: (store: RedisStore, database: Database) => {
            const fallback = config.redisUrl
              ? new PostgresChannel(database, config.database.direct, CHANGES_CHANNEL)
              : null;
            return new InvalidationBus(store, fallback);
          },
          inject: [RedisStore, Database],
        },
        { provide: DATABASE_ADDRESS, useValue: config.database },
        {
          provide: Replica,
          useFactory: (redis: RedisStore) => replicaOf(config, redis),
          inject: [RedisStore],
        },
        Database,
        CompactedMonths,
        // Registered before the interceptor of Idempotency-Key, and so runs around it: the change has been committed
        // when this one acts.
        { provide: APP_INTERCEPTOR, useClass: WrittenInterceptor },
      ],
      exports: [Clock, RedisStore, InvalidationBus, Database, CompactedMonths],
    };
  }

  onApplicationShutdown(): void {
    this.bus.close();
    this.redis.close();
  }
}
