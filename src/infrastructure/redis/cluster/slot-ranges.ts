import type { Redis } from 'ioredis';
import type { HostAndPort } from '../../../config/redis-address';

/** A range of slots, both ends included, and its master. */
export interface SlotRange extends HostAndPort {
  readonly from: number;
  readonly to: number;
}

/**
 * The masters of a cluster, as one of its nodes sees them; null if it sees no working cluster, as in a minority.
 * @param host address of that node
 */
export async function slotRanges(redis: Redis, host: string): Promise<SlotRange[] | null> {
  const [info, slots] = await Promise.all([redis.cluster('INFO'), redis.cluster('SLOTS')]);
  if (!info.includes('cluster_state:ok')) return null;
  return slots.flatMap(([from, to, master]) =>
    // The host is empty if the node does not know its own.
    master ? { from, to, host: master[0] || host, port: master[1] } : [],
  );
}
