import { Redis } from 'ioredis';
import type { Config } from '../../config/config';

/** How long a command may take before its caller goes on without Redis. */
const COMMAND_TIMEOUT_MS = 1_000;

/**
 * Connects to Redis. Commands fail at once while it is away (nothing queues in memory), so that callers take
 * their other path; the connection itself is retried for ever.
 */
export function connectRedis(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 1_000,
    // A peer that vanished without a word: the connection is given up, instead of every command timing out.
    socketTimeout: 1_500,
    keepAlive: 5_000,
    retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, 250),
  });
  // Connection errors show in readiness and in what callers do; without a listener they end the process.
  redis.on('error', () => undefined);
  return redis;
}

/**
 * The service's connection to Redis, absent without REDIS_URL. Whoever uses it has a path for its absence, and
 * takes the same one while it is away.
 */
export class RedisStore {
  private connectedAt = Infinity;

  constructor(
    /** Null without REDIS_URL. */
    readonly client: Redis | null,
    private readonly prefix: string,
  ) {
    client?.on('ready', () => (this.connectedAt = performance.now()));
  }

  static connect(config: Config): RedisStore {
    return new RedisStore(config.redisUrl ? connectRedis(config.redisUrl) : null, config.redisPrefix);
  }

  /** The client while commands can be sent, else null. */
  get ready(): Redis | null {
    return this.client?.status === 'ready' ? this.client : null;
  }

  /** Milliseconds since the connection was made; what happened in Redis before that may have passed unnoticed. */
  get connectedFor(): number {
    return this.ready ? performance.now() - this.connectedAt : 0;
  }

  /** Full name of a key; keys that one script touches share `tag`, so that a cluster keeps them together. */
  key(tag: string, ...parts: (string | number)[]): string {
    return [this.prefix, `{${tag}}`, ...parts].join(':');
  }

  /** Name of the shared copy of `key` in the cache of `topic`. */
  copyKey(topic: string, key: string): string {
    return `${this.prefix}:copy:${topic}:${key}`;
  }

  close(): void {
    this.client?.disconnect();
  }
}
