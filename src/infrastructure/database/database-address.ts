import type { PoolConfig } from 'pg';
import { Primary } from './primary';
import { TimelyClient } from './time-limit';

/** How to connect to a database. */
export interface Route {
  readonly url: string;
  /** The server to connect to, if the URL names several; otherwise unset. */
  readonly primary?: Primary;
  /** Whether a connection pooler is in between, which refuses settings of a session and has limits of its own. */
  readonly pooled?: boolean;
  /** False if the pooler does not support named prepared statements. */
  readonly prepared?: boolean;
}

export interface DatabaseAddress {
  /** For statements of requests and jobs; may lead through a pooler in transaction mode. */
  readonly main: Route;
  /** Bypasses any pooler, for what belongs to a session: migrations, locks that outlive a transaction, LISTEN. */
  readonly direct: Route;
  /** The replica that lists, statistics and exports are read from. */
  readonly replica?: Route;
}

export const DATABASE_ADDRESS = Symbol('DATABASE_ADDRESS');

/** The address of a database for which one URL serves every purpose. */
export function directly(url: string): DatabaseAddress {
  const route = { url };
  return { main: route, direct: route };
}

/** The address without its replica and its `Primary` objects, which another thread cannot share. */
export function withoutPrimary({ main, direct }: DatabaseAddress): DatabaseAddress {
  return { main: { ...main, primary: undefined }, direct: { ...direct, primary: undefined } };
}

/** The address with `Primary` objects of this thread. @throws NoPrimary if no server accepts writes */
export async function withPrimary({ main, direct }: DatabaseAddress): Promise<DatabaseAddress> {
  const primary = await Primary.find(main.url);
  const past = direct.url === main.url ? primary : await Primary.find(direct.url);
  return { main: { ...main, primary }, direct: { ...direct, primary: past } };
}

/** Limits of connections that serve requests, as `pg` takes them. */
export const CONNECTION = {
  connectionTimeoutMillis: 3_000,
  // Detects a silently lost peer long before the kernel's two hours.
  idleTimeoutMillis: 2_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  query_timeout: 35_000,
};

/** Limits enforced by the server, in milliseconds; 0 disables one. */
export interface SessionLimits {
  readonly statement?: number;
  /** Releases the locks of a process that has vanished. No request is idle in a transaction for as long. */
  readonly idleInTransaction?: number;
}

export function routeOptions({ url, primary, prepared = true }: Route) {
  return { Client: TimelyClient, connectionString: primary?.url ?? url, primary, prepared };
}

export function connectionOptions(route: Route, limits: SessionLimits = {}): PoolConfig {
  const options = { ...CONNECTION, ...routeOptions(route) };
  if (route.pooled) return options;
  const { statement = 30_000, idleInTransaction = 300_000 } = limits;
  const settings = { statement_timeout: statement, idle_in_transaction_session_timeout: idleInTransaction };
  // pg does not send a limit of 0, so the role's own limit would apply.
  const unlimited = Object.entries(settings).flatMap(([name, limit]) => (limit === 0 ? `-c ${name}=0` : []));
  return { ...options, ...settings, options: [KEEPALIVES, ...unlimited].join(' ') };
}

/**
 * TCP keepalives of the server: it closes a dead connection within 20 s, even during a COPY, and releases its locks.
 */
const KEEPALIVES = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';
