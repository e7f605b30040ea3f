import type { PoolConfig } from 'pg';
import { Primary } from './primary';
import { TimelyClient } from './time-limit';

/** A way to the database. */
export interface Route {
  readonly url: string;
  /** The server to connect to, among those that the URL leads to. Unset: the URL leads to a single one. */
  readonly primary?: Primary;
  /** Whether a connection pooler is in between, which refuses settings of a session and has limits of its own. */
  readonly pooled?: boolean;
  /** False where the pooler does not carry statements that are prepared by name. */
  readonly prepared?: boolean;
}

/** The ways to the database of this process. */
export interface DatabaseAddress {
  /** For the statements of requests and jobs. May lead through a pooler in transaction mode. */
  readonly main: Route;
  /** Past any pooler, for what belongs to a session: migrations, locks that outlive a transaction, LISTEN. */
  readonly direct: Route;
  /** To a replica that lists, statistics and exports are read from. */
  readonly replica?: Route;
}

/** Injection token of the DatabaseAddress. */
export const DATABASE_ADDRESS = Symbol('DATABASE_ADDRESS');

/** The address of a database that everything reaches by one URL. */
export function directly(url: string): DatabaseAddress {
  const route = { url };
  return { main: route, direct: route };
}

/** The address without its connections and the replica, for another thread. */
export function withoutPrimary({ main, direct }: DatabaseAddress): DatabaseAddress {
  return { main: { ...main, primary: undefined }, direct: { ...direct, primary: undefined } };
}

/** The address with connections of this thread. @throws if no server takes writes */
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

/** Limits that the server keeps, in milliseconds; 0 is none. */
export interface SessionLimits {
  readonly statement?: number;
  /** Releases the locks of a process that has vanished. No request takes as long. */
  readonly idleInTransaction?: number;
}

/** What `pg` needs to know of a way. */
export function routeOptions({ url, primary, prepared = true }: Route) {
  return { Client: TimelyClient, connectionString: primary?.url ?? url, primary, prepared };
}

/** Options of a pool. */
export function connectionOptions(route: Route, limits: SessionLimits = {}): PoolConfig {
  const options = { ...CONNECTION, ...routeOptions(route) };
  if (route.pooled) return options;
  const { statement = 30_000, idleInTransaction = 300_000 } = limits;
  const settings = { statement_timeout: statement, idle_in_transaction_session_timeout: idleInTransaction };
  // pg does not send a limit of 0, and that of the role would hold.
  const unlimited = Object.entries(settings).flatMap(([name, limit]) => (limit === 0 ? `-c ${name}=0` : []));
  return { ...options, ...settings, options: [KEEPALIVES, ...unlimited].join(' ') };
}

/** Keepalives of the server: it closes a dead connection within 20 s, even during a COPY, and releases its locks. */
const KEEPALIVES = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';
