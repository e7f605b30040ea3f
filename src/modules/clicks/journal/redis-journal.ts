import { Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RedisStore } from '../../../infrastructure/redis/redis';
import { type Click, encodeClick } from '../click';
import { type ClickBatch, type Filtered, NONE_FILTERED, streamKey } from './click-stream';
import { ReplayBuffer } from './replay-buffer';

/**
 * How long lines are kept for replay. Redis syncs its append-only file every second, so that a kill loses up to two
 * seconds of acknowledged writes, and the loss of its machine is detected up to 1.5 s later.
 */
const REPLAY_MS = 4_000;

/**
 * Acquires locks and appends the clicks that count, atomically. A lock's value is the id of its click, so that a resend
 * of that click succeeds, and its expiry by the service's clock.
 */
const LOCK_AND_APPEND = `
local lines = ARGV[1]
local filtered = {}
for i = 2, #KEYS do
  local base = (i - 2) * 4 + 2
  local id, at, window = ARGV[base], tonumber(ARGV[base + 1]), tonumber(ARGV[base + 2])
  local held = redis.call('GET', KEYS[i])
  local owner, untilMs
  if held then owner, untilMs = string.match(held, '^(%d+):(%d+)$') end
  if not held or owner == id or tonumber(untilMs) <= at then
    redis.call('SET', KEYS[i], id .. ':' .. string.format('%.0f', at + window), 'PX', window)
    if lines ~= '' then lines = lines .. '\\n' end
    lines = lines .. ARGV[base + 3]
  else
    filtered[#filtered + 1] = tonumber(id)
  end
end
if lines ~= '' then redis.call('XADD', KEYS[1], '*', 'c', lines) end
return filtered`;

/** The click streams: one XADD for all clicks of a tick and shard. */
@Injectable()
export class RedisJournal {
  /** Recently sent lines, by shard. */
  private readonly recent = new Map<number, ReplayBuffer>();

  constructor(private readonly store: RedisStore) {
    store.client?.on('close', () => {
      for (const recent of this.recent.values()) recent.hold(performance.now());
    });
    store.client?.on('ready', () => void this.replay());
  }

  /** @returns null when Redis is not available or fails: the caller falls back to Postgres */
  async append(batch: ClickBatch): Promise<Filtered | null> {
    const client = this.store.ready;
    if (!client) return null;
    try {
      if (batch.withDedup.length > 0) return await this.lockAndAppend(client, batch);
      await this.appendLines(client, batch);
      return NONE_FILTERED;
    } catch {
      return null;
    }
  }

  private async appendLines(client: Redis, batch: ClickBatch): Promise<void> {
    const recent = this.recentOf(batch.shard);
    const lines = recent.write(batch.lines.join('\n'), performance.now());
    try {
      await client.xadd(streamKey(this.store, batch.shard), '*', 'c', lines);
    } catch (error) {
      recent.notSent(lines, performance.now());
      throw error;
    }
    recent.sent(lines, performance.now());
  }

  private async lockAndAppend(client: Redis, { shard, lines, withDedup }: ClickBatch): Promise<Filtered> {
    const keys = [streamKey(this.store, shard), ...withDedup.map((click) => this.lockKey(shard, click))];
    const values = withDedup.flatMap((click) => [
      click.id,
      click.at,
      click.dedup?.windowMs ?? 0,
      encodeClick(click),
    ]);
    const refused = (await client.eval(
      LOCK_AND_APPEND,
      keys.length,
      ...keys,
      lines.join('\n'),
      ...values,
    )) as number[];
    const filtered = new Set(refused);
    const granted = withDedup.filter((click) => !filtered.has(click.id)).map(encodeClick);
    const counted = [...lines, ...granted];
    if (counted.length > 0) {
      const recent = this.recentOf(shard);
      recent.sent(recent.write(counted.join('\n'), performance.now()), performance.now());
    }
    return filtered;
  }

  /** Named 'claim', an older term, because locks outlive an upgrade. */
  private lockKey(shard: number, click: Click): string {
    return this.store.key(
      `clicks:${shard}`,
      'claim',
      click.kind,
      click.trackedLinkId,
      click.dedup?.address ?? '',
    );
  }

  private recentOf(shard: number): ReplayBuffer {
    const known = this.recent.get(shard);
    if (known) return known;
    const recent = new ReplayBuffer(REPLAY_MS);
    this.recent.set(shard, recent);
    return recent;
  }

  /** Resends recent lines after a reconnect. Consumers skip clicks that Redis had kept, because their ids are known. */
  private async replay(): Promise<void> {
    const replayed = [...this.recent].flatMap(([shard, recent]) =>
      recent.replay().map((lines) => ({ shard, recent, lines })),
    );
    for (const { shard, recent, lines } of replayed) {
      try {
        await this.store.client?.xadd(streamKey(this.store, shard), '*', 'c', lines);
        recent.sent(lines, performance.now());
      } catch {
        recent.notSent(lines, performance.now());
      }
    }
  }
}
