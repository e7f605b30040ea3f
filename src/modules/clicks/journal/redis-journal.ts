import { Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RedisStore } from '../../../infrastructure/redis/redis';
import { type Click, encodeClick } from '../click';
import { type ClickBatch, type Filtered, NONE_FILTERED, streamKey } from './click-stream';
import { ReplayBuffer } from './replay-buffer';

/**
 * A Redis that is killed may lose what it acknowledged since its last write to disk: a second, two at worst. Where its
 * machine vanished with it, that is noticed a second and a half later.
 */
const REMEMBER_MS = 4_000;

/**
 * Claims and journals in one atomic step. A claim's value says whose it is (so that the same click may be sent
 * again) and until when it holds by the service's clock.
 */
const CLAIM_AND_APPEND = `
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

/** The click streams: one XADD for all clicks of a turn. */
@Injectable()
export class RedisJournal {
  /** By shard. */
  private readonly recent = new Map<number, ReplayBuffer>();

  constructor(private readonly store: RedisStore) {
    store.client?.on('close', () => {
      for (const recent of this.recent.values()) recent.hold(performance.now());
    });
    store.client?.on('ready', () => void this.appendRecent());
  }

  /** @returns null when Redis is not there or did not take them: the caller goes to Postgres */
  async append(batch: ClickBatch): Promise<Filtered | null> {
    const client = this.store.ready;
    if (!client) return null;
    try {
      if (batch.claiming.length > 0) return await this.claimAndAppend(client, batch);
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

  private async claimAndAppend(client: Redis, { shard, lines, claiming }: ClickBatch): Promise<Filtered> {
    const keys = [streamKey(this.store, shard), ...claiming.map((click) => this.claimKey(shard, click))];
    const values = claiming.flatMap((click) => [
      click.id,
      click.at,
      click.claim?.windowMs ?? 0,
      encodeClick(click),
    ]);
    const refused = (await client.eval(
      CLAIM_AND_APPEND,
      keys.length,
      ...keys,
      lines.join('\n'),
      ...values,
    )) as number[];
    const filtered = new Set(refused);
    const granted = claiming.filter((click) => !filtered.has(click.id)).map(encodeClick);
    const counted = [...lines, ...granted];
    if (counted.length > 0) {
      const recent = this.recentOf(shard);
      recent.sent(recent.write(counted.join('\n'), performance.now()), performance.now());
    }
    return filtered;
  }

  private claimKey(shard: number, click: Click): string {
    return this.store.key(
      `clicks:${shard}`,
      'claim',
      click.kind,
      click.trackedLinkId,
      click.claim?.address ?? '',
    );
  }

  private recentOf(shard: number): ReplayBuffer {
    const known = this.recent.get(shard);
    if (known) return known;
    const recent = new ReplayBuffer(REMEMBER_MS);
    this.recent.set(shard, recent);
    return recent;
  }

  /** After a reconnect: the ids make clicks that Redis did keep harmless to send again. It may be killed again, too. */
  private async appendRecent(): Promise<void> {
    const again = [...this.recent].flatMap(([shard, recent]) =>
      recent.again().map((lines) => ({ shard, recent, lines })),
    );
    for (const { shard, recent, lines } of again) {
      try {
        await this.store.client?.xadd(streamKey(this.store, shard), '*', 'c', lines);
        recent.sent(lines, performance.now());
      } catch {
        recent.notSent(lines, performance.now());
      }
    }
  }
}
