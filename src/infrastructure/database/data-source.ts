import { Pool, type PoolConfig, types } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations';
import { TimelyClient } from './time-limit';

/** By default int8 arrives as text; ids and counts of this service stay below 2^53. */
types.setTypeParser(types.builtins.INT8, Number);
/** Dates stay text (YYYY-MM-DD), free of the server's time zone. */
types.setTypeParser(types.builtins.DATE, (text) => text);

/** Connection limits, as `pg` takes them. */
export const CONNECTION = {
  Client: TimelyClient,
  connectionTimeoutMillis: 3_000,
  statement_timeout: 30_000,
  // Releases the locks of a process that has vanished. No request takes as long.
  idle_in_transaction_session_timeout: 300_000,
  // Detects a silently lost peer long before the kernel's two hours.
  idleTimeoutMillis: 2_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  query_timeout: 35_000,
  // Keepalives of the server: it closes a dead connection within 20 s, even during a COPY, and releases its locks.
  options: '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
};

/** Connection options of the service and its tools. Modules register their entities; tools have none. */
export function dataSourceOptions(url: string, poolSize: number): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    poolSize,
    applicationName: 'waypost',
    extra: CONNECTION,
  };
}

/** Creates a connected data source without timeouts, for tools whose statements may take hours. */
export function connectDataSource(url: string, poolSize: number): Promise<DataSource> {
  const extra = {
    ...CONNECTION,
    query_timeout: 0,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  };
  return new DataSource({ ...dataSourceOptions(url, poolSize), extra }).initialize();
}

/**
 * Creates a pool separate from the service's own, for work that must never wait for a connection in use by
 * the API. The caller ends it.
 */
export function ownPool(options: PoolConfig): Pool {
  const pool = new Pool({ ...CONNECTION, ...options });
  // A connection that breaks while idle is replaced on the next use.
  pool.on('error', () => undefined);
  return pool;
}
