import { Pool, type PoolConfig, types } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations';
import { TimelyClient } from './time-limit';

/** int8 arrives as text by default; ids and counts of this service stay below 2^53. */
types.setTypeParser(types.builtins.INT8, Number);
/** count(*) and sum() of int8 are numeric; money is kept in numeric too and read where it is used. */
types.setTypeParser(types.builtins.DATE, (text) => text);

/** Limits of every connection of the service, as `pg` takes them. */
export const CONNECTION = {
  Client: TimelyClient,
  connectionTimeoutMillis: 3_000,
  statement_timeout: 30_000,
  // A peer that vanished without a word is noticed by these, not by the kernel's two hours.
  idleTimeoutMillis: 2_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  query_timeout: 35_000,
};

/** How the service and its tools connect. Modules bring their entities; tools know none. */
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

/** Creates a connected data source for tools, whose statements may take as long as they take. */
export function connectDataSource(url: string, poolSize: number): Promise<DataSource> {
  const extra = { ...CONNECTION, query_timeout: 0, statement_timeout: 0 };
  return new DataSource({ ...dataSourceOptions(url, poolSize), extra }).initialize();
}

/**
 * Creates a pool beside the service's own, for what must never wait for a connection that the API is using. Whoever
 * creates it ends it.
 */
export function ownPool(options: PoolConfig): Pool {
  const pool = new Pool({ ...CONNECTION, ...options });
  // A connection that breaks while idle is replaced when the next one is needed.
  pool.on('error', () => undefined);
  return pool;
}
