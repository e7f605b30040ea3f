import type { Redis } from 'ioredis';
import type { Config } from '../../config/config';
import { parseRedisAddress, type RedisAddress } from '../../config/redis-address';
import { connectRedis, QUEUE_OPTIONS, sentinelOptions } from './connection';
import { RedisCluster } from './cluster/redis-cluster';
import { type Holds, type RedisServers, type ServerEvents, SingleServer } from './redis-servers';

/**
 * The service's connections to Redis, absent without REDIS_URL. Callers need a fallback for that, and use the same one
 * while the server that holds their key is down. In a cluster, too, a connection is to a single server.
 */
export class RedisStore {
  /** False without REDIS_URL. */
  readonly configured: boolean;
  /** Whether a replica may become the master, in which case the last writes are lost. */
  readonly hasReplicas: boolean;
  /** First part of the keys of all queues; its hash tag keeps them on one node of a cluster. */
  readonly jobsKey: string;
  private readonly servers: RedisServers | null;
  private readonly opened: Redis[] = [];
  private readonly lost: ServerEvents['lost'][] = [];
  private readonly back: ServerEvents['back'][] = [];
  private closed = false;

  constructor(
    url: string | undefined,
    private readonly prefix: string,
  ) {
    const address = url === undefined ? null : parseRedisAddress(url);
    this.configured = address !== null;
    this.hasReplicas = address !== null && address.kind !== 'server';
    this.jobsKey = this.key('jobs');
    this.servers = address && this.connect(address);
  }

  static connect({ redisUrl, redisPrefix }: Pick<Config, 'redisUrl' | 'redisPrefix'>): RedisStore {
    return new RedisStore(redisUrl, redisPrefix);
  }

  /** The connection to the server that holds a key, or null while it cannot be used. */
  readyFor(key: string): Redis | null {
    const server = this.servers?.holderOf(key);
    return server?.ready ? server.redis : null;
  }

  /**
   * Milliseconds for which the server that holds a key has been connected: earlier writes to it may have been lost, and
   * earlier messages missed.
   */
  connectedFor(key: string): number {
    return this.servers?.holderOf(key)?.readyFor ?? 0;
  }

  /** Groups keys by the connection that can be used for them, null if none can. */
  byServer(keys: readonly string[]): Map<Redis | null, string[]> {
    const groups = new Map<Redis | null, string[]>();
    for (const key of keys) {
      const redis = this.readyFor(key);
      const group = groups.get(redis);
      if (group) group.push(key);
      else groups.set(redis, [key]);
    }
    return groups;
  }

  /** Calls `listener` when servers may have lost their last writes. */
  onLost(listener: (holds: Holds) => void): void {
    this.lost.push(listener);
  }

  /** Calls `listener` when servers can be used again. */
  onBack(listener: (holds: Holds) => void): void {
    this.back.push(listener);
  }

  /** Every server and whether it can be used; empty without REDIS_URL, and while no node of a cluster has answered. */
  states(): { server: string; ready: boolean }[] {
    return (this.servers?.all() ?? []).map(({ name, ready }) => ({ server: name, ready }));
  }

  /** @throws if a server does not respond */
  async ping(): Promise<void> {
    const servers = this.servers?.all() ?? [];
    if (servers.length === 0) throw new Error('No server of Redis is known');
    await Promise.all(servers.map(({ redis }) => redis.ping()));
  }

  /** Full name of a key. Keys used by one script share `tag`, so that a cluster stores them on one node. */
  key(tag: string, ...parts: (string | number)[]): string {
    return [this.prefix, `{${tag}}`, ...parts].join(':');
  }

  copyKey(topic: string, key: string): string {
    return `${this.prefix}:copy:${topic}:${key}`;
  }

  /** Name of the key, on the same server, with the id of the latest mark of a shared copy. */
  turnKey(copy: string): string {
    return `${this.prefix}:turn:{${copy}}`;
  }

  /**
   * Opens a connection for blocking commands to the server that holds a key; it follows the key to another server. The
   * caller closes it. @throws without REDIS_URL
   */
  connectionTo(key: string): Redis {
    return this.configuredServers.connectionTo(key, {});
  }

  /**
   * Opens a connection for a Bull queue, on which commands wait until Redis is back. @throws without REDIS_URL
   */
  connectQueue(): Redis {
    const redis = this.configuredServers.connectionTo(this.jobsKey, QUEUE_OPTIONS);
    this.opened.push(redis);
    // Bull opens some of its connections late.
    if (this.closed) redis.disconnect();
    return redis;
  }

  close(): void {
    this.closed = true;
    this.servers?.close();
    for (const redis of this.opened) redis.disconnect();
  }

  private get configuredServers(): RedisServers {
    if (!this.servers) throw new Error('This connection needs REDIS_URL');
    return this.servers;
  }

  private connect(address: RedisAddress): RedisServers {
    const events: ServerEvents = {
      lost: (holds) => this.lost.forEach((listener) => listener(holds)),
      back: (holds) => this.back.forEach((listener) => listener(holds)),
    };
    switch (address.kind) {
      case 'server':
        return new SingleServer(hostOf(address.url), (own) => connectRedis(address.url, own), events);
      case 'sentinel': {
        const options = sentinelOptions(address);
        return new SingleServer(address.name, (own) => connectRedis({ ...options, ...own }), events);
      }
      case 'cluster':
        return new RedisCluster(address, events);
    }
  }
}

/** Host and port of a URL, without its password. */
function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 6379}`;
}
