import { Injectable } from '@nestjs/common';
import { packageVersion } from '../../common/package-version';
import { Config } from '../../config/config';
import { InvalidationBus } from '../caching/invalidation-bus';
import { Database, type PoolUse } from '../database/database';
import type { Sample } from './hot-counters';
import { Metrics } from './metrics';
import { RedisStore } from '../redis/redis';

@Injectable()
export class ProcessMetrics {
  constructor(
    metrics: Metrics,
    database: Database,
    redis: RedisStore,
    bus: InvalidationBus,
    { role }: Config,
  ) {
    const labels = { version: packageVersion(), node: process.version, role };
    const gauge = (name: string, help: string, read: () => Sample[]) =>
      metrics.register({ name, get: () => ({ name, help, type: 'gauge', values: read() }) });
    gauge('waypost_build_info', 'What runs, in its labels', () => [{ labels, value: 1 }]);
    let pools: readonly PoolUse[] = [];
    metrics.beforeScrape(() => (pools = database.pools()));
    gauge('waypost_database_connections', 'Connections to Postgres by pool and state', () =>
      pools.flatMap(({ name: pool, inUse, idle }) => [
        { labels: { pool, state: 'in_use' }, value: inUse },
        { labels: { pool, state: 'idle' }, value: idle },
      ]),
    );
    gauge('waypost_database_waiting', 'Statements that wait for a connection, by pool', () => [
      ...pools.map(({ name: pool, waiting }) => ({ labels: { pool }, value: waiting })),
      { labels: { pool: 'turns' }, value: database.waitingReports },
    ]);
    gauge('waypost_redis_up', '1 while commands can be sent to this server of Redis', () =>
      serversOf(redis).map(({ server, ready }) => ({ labels: { server }, value: Number(ready) })),
    );
    metrics.register(bus.lookups);
    const { replica } = database;
    gauge('waypost_replica_lag_seconds', 'How far the replica is behind; +Inf while it is away', () =>
      replica ? [{ labels: {}, value: replica.lagMs / 1_000 }] : [],
    );
    const name = 'waypost_report_reads_total';
    const help = 'Lists, statistics and parts of exports by the store that they were read from';
    const values = () =>
      Object.entries(replica?.reads ?? {}).map(([store, value]) => ({ labels: { store }, value }));
    metrics.register({ name, get: () => ({ name, help, type: 'counter', values: values() }) });
  }
}

/** While no node of a cluster has answered, the cluster is reported as one server that is not ready. */
function serversOf(redis: RedisStore): { server: string; ready: boolean }[] {
  const servers = redis.states();
  return redis.configured && servers.length === 0 ? [{ server: 'unknown', ready: false }] : servers;
}
