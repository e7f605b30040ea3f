import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { RedisStore } from '../../infrastructure/redis/redis';
import { LimitReached } from '../access.errors';

/** Resources that are in use for a while, with their names in error messages. */
const USES = {
  imports: 'imports at once',
  listeners: 'open streams of live clicks and pulls of webhooks',
} as const;
export type Use = keyof typeof USES;

/** Time to live of a use that its process no longer renews, by the clock of Redis. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

/**
 * Adds the use ARGV[1] unless there are ARGV[2] others. @returns the number of others, and whether the use was added
 */
const BEGIN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local others = redis.call('ZCARD', KEYS[1])
if others >= tonumber(ARGV[2]) then return { others, 0 } end
redis.call('ZADD', KEYS[1], now + ${LEASE_MS}, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ${LEASE_MS})
return { others, 1 }`;

/** Renews the uses of a process, including those that Redis has lost. */
const RENEW = `
local time = redis.call('TIME')
local ends = time[1] * 1000 + math.floor(time[2] / 1000) + ${LEASE_MS}
for _, id in ipairs(ARGV) do redis.call('ZADD', KEYS[1], ends, id) end
redis.call('PEXPIRE', KEYS[1], ${LEASE_MS})
return 0`;

const COUNT = `
local time = redis.call('TIME')
return redis.call('ZCOUNT', KEYS[1], '(' .. time[1] * 1000 + math.floor(time[2] / 1000), '+inf')`;

/**
 * Counts concurrent uses per organization, over all processes by leases in Redis; without Redis or during its outage,
 * each process counts its own.
 */
@Injectable()
export class ConcurrentUses implements OnModuleInit, OnApplicationShutdown {
  /** Ids of uses in this process, by key. */
  private readonly own = new Map<string, Set<string>>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly redis: RedisStore) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Runs `work`, which counts as one use until it ends. @throws LimitReached */
  async during<T>(use: Use, organizationId: number, limit: number, work: () => Promise<T>): Promise<T> {
    const key = this.keyOf(use, organizationId);
    const id = randomUUID();
    const usage = await this.begin(key, id, limit);
    if (usage !== null) throw new LimitReached(USES[use], limit, usage);
    try {
      return await work();
    } finally {
      this.end(key, id);
    }
  }

  async count(use: Use, organizationId: number): Promise<number> {
    const key = this.keyOf(use, organizationId);
    const counted = await this.redis
      .readyFor(key)
      ?.eval(COUNT, 1, key)
      .catch(() => null);
    return typeof counted === 'number' ? counted : (this.own.get(key)?.size ?? 0);
  }

  async renew(): Promise<void> {
    const renewals = [...this.own].map(async ([key, ids]) =>
      this.redis.readyFor(key)?.eval(RENEW, 1, key, ...ids),
    );
    // A failed renewal is repeated, and restores the use after the outage.
    await Promise.allSettled(renewals);
  }

  /** @returns the number of other uses if they reach the limit, else null */
  private async begin(key: string, id: string, limit: number): Promise<number | null> {
    // Counted locally before Redis is asked, so that concurrent calls count each other if Redis is unavailable.
    const ids = this.own.get(key) ?? new Set();
    this.own.set(key, ids.add(id));
    const others = ids.size - 1;
    const answer = await this.redis
      .readyFor(key)
      ?.eval(BEGIN, 1, key, id, limit)
      .catch(() => null);
    const [usage, added] = (answer as [number, number] | null | undefined) ?? [
      others,
      others < limit ? 1 : 0,
    ];
    if (added === 1) return null;
    // Removed from Redis as well, where a renewal may have added it meanwhile.
    this.end(key, id);
    return usage;
  }

  private end(key: string, id: string): void {
    this.forget(key, id);
    void this.redis
      .readyFor(key)
      ?.zrem(key, id)
      .catch(() => undefined);
  }

  private forget(key: string, id: string): void {
    const ids = this.own.get(key);
    ids?.delete(id);
    if (ids?.size === 0) this.own.delete(key);
  }

  private keyOf(use: Use, organizationId: number): string {
    return this.redis.key(`${use}:${organizationId}`, 'uses');
  }
}
