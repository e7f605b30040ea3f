import type { PoolConfig } from 'pg';
import { TimelyClient } from './time-limit';

/** A way to the database. */
export interface Route {
  readonly url: string;
}

/** The ways to the database of this process. */
export interface DatabaseAddress {
  /** For the statements of requests and jobs. */
  readonly main: Route;
  /** For what belongs to a session of PostgreSQL: migrations, locks that outlive a transaction, LISTEN. */
  readonly direct: Route;
}

/** Injection token of the DatabaseAddress. */
export const DATABASE_ADDRESS = Symbol('DATABASE_ADDRESS');

/** The address of a database that everything reaches by one URL. */
export function directly(url: string): DatabaseAddress {
  const route = { url };
  return { main: route, direct: route };
}

/** Limits of connections that serve requests, as `pg` takes them. */
export const CONNECTION = {
  connectionTimeoutMillis: 3_000,
  statement_timeout: 30_000,
  // Releases the locks of a process that has vanished. No request takes as long.
  idle_in_transaction_session_timeout: 300_000,
  // Detects a silently lost peer long before the kernel's two hours.
  idleTimeoutMillis: 2_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  query_timeout: 35_000,
};

/** Keepalives of the server: it closes a dead connection within 20 s, even during a COPY, and releases its locks. */
const KEEPALIVES = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/** What `pg` needs to know of a way. */
export function routeOptions({ url }: Route) {
  return { Client: TimelyClient, connectionString: url };
}

/** Options of a pool. */
export function connectionOptions(route: Route): PoolConfig {
  return { ...CONNECTION, ...routeOptions(route), options: KEEPALIVES };
}
