import type { RedisStore } from '../../../infrastructure/redis/redis';
import { type Click, decodeClick, encodeClick } from '../click';

/** The consumer group of every click stream. */
export const CONSUMER_GROUP = 'consumers';

/** Redis key of the stream of one shard; claims of the shard's tracked links share its hash tag. */
export function streamKey(store: RedisStore, shard: number): string {
  return store.key(`clicks:${shard}`, 'stream');
}

/** Clicks of one shard that are stored together: an entry of its stream, where Redis is there. */
export interface ClickBatch {
  readonly shard: number;
  /** Encoded clicks that count in any case. */
  readonly lines: string[];
  /** Clicks that count only if their claim is granted. */
  readonly claiming: Click[];
}

/** Ids of the clicks of a batch whose claim was refused. */
export type Filtered = ReadonlySet<number>;

export const NONE_FILTERED: Filtered = new Set();

/** Every click of a batch, encoded; those with a claim still ask for it. */
export function linesOf({ lines, claiming }: ClickBatch): string[] {
  return claiming.length === 0 ? lines : [...lines, ...claiming.map(encodeClick)];
}

/** Batches of lines that another store held before. */
export function batchesOf(
  lines: readonly string[],
  shardOf: (trackedLinkId: number) => number,
): ClickBatch[] {
  const batches = new Map<number, ClickBatch>();
  for (const line of lines) {
    const click = decodeClick(line);
    const shard = shardOf(click.trackedLinkId);
    const batch = batches.get(shard) ?? { shard, lines: [], claiming: [] };
    if (click.claim && !click.claim.settled) batch.claiming.push(click);
    else batch.lines.push(line);
    batches.set(shard, batch);
  }
  return [...batches.values()];
}
