import { Pool, type PoolConfig, types } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { connectionOptions, type Route, type SessionLimits } from './database-address';
import { MIGRATIONS } from './migrations';

/** By default int8 arrives as text; ids and counts of this service stay below 2^53. */
types.setTypeParser(types.builtins.INT8, Number);
/** Dates stay text (YYYY-MM-DD), free of the server's time zone. */
types.setTypeParser(types.builtins.DATE, (text) => text);

/** Connection options of the service and its tools. Modules register their entities; tools have none. */
export function dataSourceOptions(route: Route, poolSize: number): DataSourceOptions {
  return {
    type: 'postgres',
    url: route.primary?.url ?? route.url,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    poolSize,
    applicationName: 'waypost',
    extra: connectionOptions(route),
  };
}

/** Creates a connected data source without timeouts, for tools whose statements may take hours. */
export function connectDataSource(route: Route, poolSize: number): Promise<DataSource> {
  const unlimited = connectionOptions(route, { statement: 0, idleInTransaction: 0 });
  const extra = { ...unlimited, query_timeout: 0 };
  return new DataSource({ ...dataSourceOptions(route, poolSize), extra }).initialize();
}

/** Creates a pool separate from that of TypeORM; the caller must end it. */
export function ownPool(route: Route, options: PoolConfig, limits?: SessionLimits): Pool {
  const pool = new Pool({ ...connectionOptions(route, limits), ...options });
  // A connection that breaks while idle is replaced on the next use.
  pool.on('error', () => undefined);
  return pool;
}
