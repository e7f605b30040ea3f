import type { RedisStore } from '../../../infrastructure/redis/redis';

/** The consumer group of every click stream. */
export const CONSUMER_GROUP = 'consumers';

/** Redis key of the stream of one shard; claims of the shard's targets share its hash tag. */
export function streamKey(store: RedisStore, shard: number): string {
  return store.key(`clicks:${shard}`, 'stream');
}
