import type { Socket } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../../config/redis-address';

/** Time limit of a command, after which callers use their fallback. */
const COMMAND_TIMEOUT_MS = 1_000;

/**
 * While Redis is down, commands fail at once instead of queueing in memory, so that callers use their fallback; the
 * connection itself is retried without limit.
 */
const OPTIONS: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: 1_000,
  // Drops the connection if the peer vanished silently, instead of letting every command time out.
  socketTimeout: 1_500,
  disconnectTimeout: 250,
  keepAlive: 5_000,
  // ioredis does not handle the rejection of a failed resubscription; subscribers subscribe on `ready` instead.
  autoResubscribe: false,
  retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, 250),
  // A demoted master refuses writes; reconnecting leads to the new one.
  reconnectOnError: (error) => isRefusedSelect(error) || /^(READONLY|UNBLOCKED)/.test(error.message),
};

/** Whether Redis refused to select the database of REDIS_URL, in which case ioredis would continue with database 0. */
export function isRefusedSelect(error: unknown): boolean {
  return (error as { command?: { name: string } }).command?.name === 'select';
}

/** Errors of a server that is not, or no longer, the master of a key. */
export const NOT_THE_HOLDER = /^(READONLY|UNBLOCKED|MOVED)/;

/** Options of a Bull connection. Its commands wait for Redis, because commands that move jobs must not be lost. */
export const QUEUE_OPTIONS: RedisOptions = {
  enableOfflineQueue: true,
  maxRetriesPerRequest: null,
  commandTimeout: undefined,
  socketTimeout: undefined,
  autoResubscribe: true,
  enableReadyCheck: false,
  retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, 500),
  // 2 makes ioredis resend the refused command.
  reconnectOnError: (error) => isRefusedSelect(error) || (NOT_THE_HOLDER.test(error.message) ? 2 : false),
};

/** The part of ioredis that handles errors of sockets, those of its own connections to Sentinels included. */
interface Emitter {
  stream?: Socket;
  silentEmit: (event: string, error: unknown) => boolean;
}

// ioredis listens to the first error of a socket only, but a peer whose certificate was refused may still send an
// alert, which would end the process.
const connections = Redis.prototype as unknown as Emitter;
const { silentEmit } = connections;
connections.silentEmit = function (this: Emitter, event, error) {
  if (event === 'error' && this.stream?.listenerCount('error') === 0)
    this.stream.on('error', () => undefined);
  return silentEmit.call(this, event, error);
};

export function connectRedis(
  ...options: [options: RedisOptions] | [url: string, options: RedisOptions]
): Redis {
  const [url, own] = options.length === 2 ? options : [undefined, ...options];
  const all = { ...OPTIONS, ...own };
  const redis = url === undefined ? new Redis(all) : new Redis(url, all);
  // Connection errors show in readiness and in failing commands; an error event without a listener would end the
  // process.
  redis.on('error', () => undefined);
  return redis;
}

/** Options of a connection to the master that the Sentinels name at the time. */
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
