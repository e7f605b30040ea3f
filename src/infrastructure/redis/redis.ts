import { Redis } from 'ioredis';
import type { Config } from '../../config/config';

/** Time limit of a command; callers continue without Redis then. */
const COMMAND_TIMEOUT_MS = 1_000;

/**
 * Connects to Redis. While Redis is down, commands fail at once instead of queueing in memory, so that callers use
 * their fallback; the connection itself is retried forever.
 */
export function connectRedis(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 1_000,
    // If the peer vanished silently, the connection is dropped instead of every command timing out.
    socketTimeout: 1_500,
    keepAlive: 5_000,
    // A resubscription that fails is an unhandled rejection of ioredis; subscribers subscribe on `ready` instead.
    autoResubscribe: false,
    retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, 250),
  });
  // Connection errors show in readiness and in what callers do; without a listener they end the process.
  redis.on('error', () => undefined);
  return redis;
}

/**
 * The service's connection to Redis, absent without REDIS_URL. Callers need a fallback for that, and use the same one
 * while Redis is down.
 */
export class RedisStore {
  /** Null without REDIS_URL. */
  readonly client: Redis | null;
  private readonly queueClients: Redis[] = [];
  private connectedAt = Infinity;
  private closed = false;

  constructor(
    private readonly url: string | undefined,
    private readonly prefix: string,
  ) {
    this.client = url ? connectRedis(url) : null;
    this.client?.on('ready', () => (this.connectedAt = performance.now()));
  }

  static connect({ redisUrl, redisPrefix }: Pick<Config, 'redisUrl' | 'redisPrefix'>): RedisStore {
    return new RedisStore(redisUrl, redisPrefix);
  }

  /** The client while commands can be sent, else null. */
  get ready(): Redis | null {
    return this.client?.status === 'ready' ? this.client : null;
  }

  /** Milliseconds since the connection was established; earlier messages may have been missed. */
  get connectedFor(): number {
    return this.ready ? performance.now() - this.connectedAt : 0;
  }

  /** Full name of a key. Keys that one script touches share `tag`, so that a cluster stores them on one node. */
  key(tag: string, ...parts: (string | number)[]): string {
    return [this.prefix, `{${tag}}`, ...parts].join(':');
  }

  /** Name of the shared copy of `key` in the cache of `topic`. */
  copyKey(topic: string, key: string): string {
    return `${this.prefix}:copy:${topic}:${key}`;
  }

  /**
   * Creates a connection for a Bull queue. Its commands wait until Redis is back, because those that move jobs must not
   * be lost. @throws without REDIS_URL
   */
  connectQueue(): Redis {
    if (!this.url) throw new Error('A Bull queue needs REDIS_URL');
    const client = new Redis(this.url, {
      maxRetriesPerRequest: null,
      enableReadyCheck: false,
      retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, 500),
    });
    client.on('error', () => undefined);
    this.queueClients.push(client);
    // Bull opens some of its connections late.
    if (this.closed) client.disconnect();
    return client;
  }

  close(): void {
    this.closed = true;
    for (const client of [this.client, ...this.queueClients]) client?.disconnect();
  }
}
