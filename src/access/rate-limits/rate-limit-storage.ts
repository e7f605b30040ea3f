import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Counter } from 'prom-client';
import { BoundedCache } from '../../common/bounded-cache';
import { Clock } from '../../common/time/clock';
import { Metrics } from '../../infrastructure/metrics/metrics';
import { RedisStore } from '../../infrastructure/redis/redis';
import { countCall, type RateWindow } from './rate-window';

/** Counts a call atomically; the expiry only cleans up unused windows. */
const COUNT_CALL = `
local now, ttl = tonumber(ARGV[1]), tonumber(ARGV[2])
local start = tonumber(redis.call('HGET', KEYS[1], 'start'))
if not start or math.abs(now - start) >= ttl then
  start = now
  redis.call('HSET', KEYS[1], 'start', ARGV[1], 'hits', 0)
  redis.call('PEXPIRE', KEYS[1], 2 * ttl)
end
return { redis.call('HINCRBY', KEYS[1], 'hits', 1), start }`;

const GIVE_BACK = `
if tonumber(redis.call('HGET', KEYS[1], 'hits') or 0) > 0 then redis.call('HINCRBY', KEYS[1], 'hits', -1) end`;

/** Maximum number of windows in memory while Redis is down. */
const MEMORY_WINDOWS = 100_000;

/** @nestjs/throttler's record of a call, in seconds. */
type RateRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Rate-limit windows, shared by all processes through Redis; without Redis or during its outage, each process counts
 * its own.
 */
@Injectable()
export class RateLimitStorage implements ThrottlerStorage {
  private readonly memory = new BoundedCache<string, RateWindow>(MEMORY_WINDOWS);
  private readonly limited: Counter<'limit'>;

  constructor(
    private readonly redis: RedisStore,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.limited = metrics.counter('waypost_rate_limited_total', 'Calls over a rate limit, by limit', [
      'limit',
    ]);
  }

  /**
   * Counts a call.
   * @param key what calls are counted for: an organization, an app, an address
   * @param ttl length of the window in milliseconds
   */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    _block: number,
    name: string,
  ): Promise<RateRecord> {
    const now = this.clock.now();
    const window = await this.count(this.redis.key(`${name}:${key}`, 'rate'), now, ttl);
    const seconds = Math.min(ttl, Math.max(1, window.start + ttl - now)) / 1000;
    const timeToExpire = Math.ceil(seconds);
    const isBlocked = window.hits > limit;
    if (isBlocked) this.limited.inc({ limit: name });
    return {
      totalHits: window.hits,
      timeToExpire,
      isBlocked,
      timeToBlockExpire: isBlocked ? timeToExpire : 0,
    };
  }

  /** Uncounts a call, if its window still exists. */
  async giveBack(key: string, name: string): Promise<void> {
    const window = this.redis.key(`${name}:${key}`, 'rate');
    const own = this.memory.get(window);
    if (own) this.memory.set(window, { ...own, hits: Math.max(0, own.hits - 1) });
    await this.redis
      .readyFor(window)
      ?.eval(GIVE_BACK, 1, window)
      .catch(() => undefined);
  }

  private async count(key: string, now: number, ttl: number): Promise<RateWindow> {
    const redis = this.redis.readyFor(key);
    if (redis) {
      try {
        const [hits, start] = (await redis.eval(COUNT_CALL, 1, key, now, ttl)) as [number, number];
        return { hits, start };
      } catch {
        // Redis went down after the check.
      }
    }
    const window = countCall(this.memory.get(key), now, ttl);
    this.memory.set(key, window);
    return window;
  }
}
