import type { Redis } from 'ioredis';
import type { Sample } from '../../../infrastructure/metrics/hot-counters';
import type { RedisStore } from '../../../infrastructure/redis/redis';
import { type Click, decodeClick, encodeClick } from '../click';
import { MAX_STREAM_SHARDS } from '../../../config/config';

export const CONSUMER_GROUP = 'consumers';

/** Redis key of a shard's stream; the de-duplication locks of the shard share its hash tag. */
export function streamKey(store: RedisStore, shard: number): string {
  return store.key(`clicks:${shard}`, 'stream');
}

/**
 * Keys of all streams that CLICK_STREAM_SHARDS allows. Those above its current value may contain clicks from before it
 * was lowered.
 */
export function allStreamKeys(store: RedisStore): string[] {
  return Array.from({ length: MAX_STREAM_SHARDS }, (_, shard) => streamKey(store, shard));
}

/**
 * Queries streams on the servers that hold them.
 * @param keys all streams by default; none without REDIS_URL
 * @throws if one of the servers is not connected
 */
export async function ofStreams<T>(
  store: RedisStore,
  ask: (redis: Redis, key: string) => Promise<T>,
  keys: readonly string[] = store.configured ? allStreamKeys(store) : [],
): Promise<T[]> {
  return Promise.all(
    keys.map(async (key) => {
      const redis = store.readyFor(key);
      if (!redis) throw new Error(`The Redis that holds ${key} is not connected`);
      return ask(redis, key);
    }),
  );
}

/** Samples of a gauge, one for each journal that can be read. */
export async function byJournal(redis: Promise<number>, postgres: Promise<number>): Promise<Sample[]> {
  const sample = (journal: string, reading: Promise<number>) =>
    reading.then(
      (value) => [{ labels: { journal }, value }],
      () => [],
    );
  return (await Promise.all([sample('redis', redis), sample('postgres', postgres)])).flat();
}

/** Clicks of one shard that are stored together, as one entry of its stream in Redis. */
export interface ClickBatch {
  readonly shard: number;
  /** Encoded clicks that need no de-duplication. */
  readonly lines: string[];
  /** Clicks that count only if they acquire their lock. */
  readonly withDedup: Click[];
}

/** Ids of the clicks of a batch that de-duplication filtered out. */
export type Filtered = ReadonlySet<number>;

export const NONE_FILTERED: Filtered = new Set();

/** All clicks of a batch, encoded, without acquiring locks. */
export function linesOf({ lines, withDedup }: ClickBatch): string[] {
  return withDedup.length === 0 ? lines : [...lines, ...withDedup.map(encodeClick)];
}

/** Batches, by shard, of lines read from another store. */
export function batchesOf(
  lines: readonly string[],
  shardOf: (trackedLinkId: number) => number,
): ClickBatch[] {
  const batches = new Map<number, ClickBatch>();
  for (const line of lines) {
    const click = decodeClick(line);
    const shard = shardOf(click.trackedLinkId);
    const batch = batches.get(shard) ?? { shard, lines: [], withDedup: [] };
    if (click.dedup && !click.dedup.settled) batch.withDedup.push(click);
    else batch.lines.push(line);
    batches.set(shard, batch);
  }
  return [...batches.values()];
}
