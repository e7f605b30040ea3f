import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { RedisStore } from '../../../infrastructure/redis/redis';
import { type Click, encodeClick } from '../click';
import { type ClickBatch, type Filtered, NONE_FILTERED, streamKey } from './click-stream';
import { ReplayBuffer } from './replay-buffer';

/**
 * How long lines are kept for replay. Redis syncs its append-only file every second, so that a kill loses up to two
 * seconds of acknowledged writes, and the loss of its machine is noticed up to 1.5 s later.
 */
const REPLAY_MS = 4_000;
/**
 * The same if a replica may be promoted: an isolated master acknowledges writes of this process until it notices its
 * isolation, in a cluster after `cluster-node-timeout` (15 s by default).
 */
const REPLAY_WITH_REPLICAS_MS = 20_000;

/**
 * Acquires locks and appends the clicks that count, atomically. The value of a lock is the id of its click, so that a
 * resend of that click succeeds. It expires by the service's clock.
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

/** Returns the token that was stored when the stream was created, or stores one. */
const BORN = `
local born = redis.call('GET', KEYS[1])
if born then return born end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]`;

/**
 * Appends to the click stream of a shard, and resends the lines of the last seconds if the stream may have lost them:
 * after an outage, after a failed append, and when the token stored beside the stream has changed, because Redis was
 * emptied. Consumers skip clicks that Redis had kept, by their ids.
 */
export class StreamShard {
  readonly stream: string;
  private readonly keepMs: number;
  private readonly recent: ReplayBuffer;
  private readonly bornKey: string;
  /** Token of the stream that received the recent lines. */
  private born: string | null = null;
  private confirmedAt = -Infinity;
  private checking: Promise<void> | null = null;
  /** Whether clicks go elsewhere until a check succeeds. */
  private failing = false;

  constructor(
    private readonly store: RedisStore,
    private readonly shard: number,
  ) {
    this.stream = streamKey(store, shard);
    this.keepMs = store.hasReplicas ? REPLAY_WITH_REPLICAS_MS : REPLAY_MS;
    this.recent = new ReplayBuffer(this.keepMs);
    this.bornKey = store.key(`clicks:${shard}`, 'born');
  }

  /** Whether the stream must be checked, because it has recent lines or may have lost some. */
  get watched(): boolean {
    return this.failing || this.recent.holds(performance.now());
  }

  /** @returns null if Redis is unavailable or fails */
  async append(batch: ClickBatch): Promise<Filtered | null> {
    const client = this.failing ? null : this.store.readyFor(this.stream);
    if (!client) return null;
    // Sent before the append, so that any later loss of the stream changes the token.
    if (this.born === null) void this.check();
    try {
      if (batch.withDedup.length > 0) return await this.lockAndAppend(client, batch);
      await this.send(client, this.recent.write(batch.lines.join('\n'), performance.now()));
      return NONE_FILTERED;
    } catch {
      this.failed();
      return null;
    }
  }

  /** Keeps the recent lines for a resend, because the connection was lost. */
  hold(): void {
    this.recent.hold(performance.now());
  }

  /** Resends lines that the stream may have lost. Never rejects. */
  check(): Promise<void> {
    return (this.checking ??= this.confirm().finally(() => (this.checking = null)));
  }

  private async confirm(): Promise<void> {
    const client = this.store.readyFor(this.stream);
    if (!client) return;
    const askedAt = performance.now();
    try {
      const born = (await client.eval(BORN, 1, this.bornKey, randomUUID())) as string;
      if (this.born !== null && born !== this.born)
        this.recent.hold(Math.max(this.confirmedAt, askedAt - this.keepMs));
      this.born = born;
      this.confirmedAt = askedAt;
      const replayed = this.recent.replay().map((lines) => this.send(client, lines));
      const failed = (await Promise.allSettled(replayed)).find(({ status }) => status === 'rejected');
      if (failed) this.failed();
      else this.failing = false;
    } catch {
      this.failed();
    }
  }

  private failed(): void {
    this.failing = true;
    this.hold();
  }

  private async send(client: Redis, lines: Buffer): Promise<void> {
    try {
      await client.xadd(this.stream, '*', 'c', lines);
    } catch (error) {
      this.recent.notSent(lines, performance.now());
      throw error;
    }
    this.recent.sent(lines, performance.now());
  }

  private async lockAndAppend(client: Redis, { lines, withDedup }: ClickBatch): Promise<Filtered> {
    const keys = [this.stream, ...withDedup.map((click) => this.lockKey(click))];
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
      const now = performance.now();
      this.recent.sent(this.recent.write(counted.join('\n'), now), now);
    }
    return filtered;
  }

  private lockKey(click: Click): string {
    return this.store.key(
      `clicks:${this.shard}`,
      'claim',
      click.kind,
      click.trackedLinkId,
      click.dedup?.address ?? '',
    );
  }
}
