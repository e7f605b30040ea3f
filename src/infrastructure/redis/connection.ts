import { Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../../config/redis-address';

/** Time limit of a command; callers continue without Redis then. */
const COMMAND_TIMEOUT_MS = 1_000;

/**
 * While Redis is down, commands fail at once instead of queueing in memory, so that callers use their fallback; the
 * connection itself is retried forever.
 */
const OPTIONS: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: 1_000,
  // If the peer vanished silently, the connection is dropped instead of every command timing out.
  socketTimeout: 1_500,
  disconnectTimeout: 250,
  keepAlive: 5_000,
  // A resubscription that fails is an unhandled rejection of ioredis; subscribers subscribe on `ready` instead.
  autoResubscribe: false,
  retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, 250),
  // A master that was demoted refuses; the next connection leads to the new one.
  reconnectOnError: (error) => isRefusedSelect(error) || /^(READONLY|UNBLOCKED)/.test(error.message),
};

/**
 * Whether Redis refused to select the database of REDIS_URL. ioredis would use the connection all the same, with
 * database 0.
 */
export function isRefusedSelect(error: unknown): boolean {
  return (error as { command?: { name: string } }).command?.name === 'select';
}

/** Errors of a server that is not, or no longer, the master of a key. */
export const NOT_THE_HOLDER = /^(READONLY|UNBLOCKED|MOVED)/;

/**
 * Options of a Bull connection. Its commands wait until Redis is back, because those that move jobs must not be lost.
 */
export const QUEUE_OPTIONS: RedisOptions = {
  enableOfflineQueue: true,
  maxRetriesPerRequest: null,
  commandTimeout: undefined,
  socketTimeout: undefined,
  autoResubscribe: true,
  enableReadyCheck: false,
  retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, 500),
  // 2 sends the refused command again.
  reconnectOnError: (error) => isRefusedSelect(error) || (NOT_THE_HOLDER.test(error.message) ? 2 : false),
};

/** Opens a connection to a server with the service's options. */
export function connectRedis(
  ...options: [options: RedisOptions] | [url: string, options: RedisOptions]
): Redis {
  const [url, own] = options.length === 2 ? options : [undefined, ...options];
  const all = { ...OPTIONS, ...own };
  const redis = url === undefined ? new Redis(all) : new Redis(url, all);
  // Connection errors show in readiness and in what callers do. One without a listener would end the process, and ioredis
  // listens to the first of a socket only: a peer whose certificate was refused may still send an alert.
  redis.on('error', () => (redis as Partial<Redis>).stream?.on('error', () => undefined));
  return redis;
}

/** Options that lead to the master which the Sentinels name at each connection. */
export function sentinelOptions(address: RedisAddress & { kind: 'sentinel' }): RedisOptions {
  const { username, password } = address.sentinelCredentials;
  return {
    sentinels: [...address.sentinels],
    name: address.name,
    ...address.credentials,
    db: address.db,
    ...(username && { sentinelUsername: username }),
    ...(password && { sentinelPassword: password }),
    ...(address.tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
    sentinelRetryStrategy: (attempt) => Math.min(25 * 2 ** attempt, 250),
  };
}
