import DataLoader from 'dataloader';
import { withDeadline } from '../../common/deadline';
import type { RedisStore } from '../redis/redis';

const HIT_TTL_MS = 5 * 60_000;
const MISS_TTL_MS = 60_000;
/** A copy is there to save time: who hangs is not waited for. */
const READ_TIMEOUT_MS = 250;
const MAX_BATCH = 100;

/**
 * A copy in Redis of what Postgres holds, shared by all processes. A changed key is marked, not deleted: a reader
 * that asked Postgres before the change can then not put its old answer back (see InvalidationBus.publish). Copies
 * from before an outage of Redis are not believed: what changed during it could not be marked.
 */
export class SharedCopy<V extends object> {
  /** What is asked for side by side is asked of Redis in one go. */
  private readonly copies = new DataLoader((names: readonly string[]) => this.read(names), {
    cache: false,
    maxBatchSize: MAX_BATCH,
    // A turn of the event loop: each connection's request is a tick of its own.
    batchScheduleFn: setImmediate,
  });

  constructor(
    private readonly redis: RedisStore,
    private readonly topic: string,
  ) {}

  /** The value from Redis, else from `load`, whose answer is shared. Redis being away only makes it slower. */
  async get(key: string, load: () => Promise<V | null>): Promise<V | null> {
    const client = this.redis.ready;
    if (!client) return load();
    const name = this.redis.copyKey(this.topic, key);
    const oldest = this.redis.connectedFor;
    const [text, lifetime] = await withDeadline(this.copies.load(name), READ_TIMEOUT_MS).catch(
      () => [CHANGED, 0] as const,
    );
    if (text === CHANGED) return load();
    if (text !== null) {
      const copy = JSON.parse(text) as V | null;
      return ttlOf(copy) - lifetime < oldest ? copy : load();
    }
    const value = await load();
    await client.set(name, JSON.stringify(value), 'PX', ttlOf(value), 'NX').catch(() => undefined);
    return value;
  }

  private async read(names: readonly string[]): Promise<Copy[]> {
    const client = this.redis.ready;
    if (!client) throw new Error('Redis is away');
    const asked = client.pipeline().mget([...names]);
    for (const name of names) asked.pttl(name);
    const [texts, ...lifetimes] = ((await asked.exec()) ?? []).map(([error, answer]) => {
      if (error) throw error;
      return answer;
    }) as [(string | null)[], ...number[]];
    return names.map((_, i) => [texts[i] ?? null, lifetimes[i] ?? 0]);
  }
}

/** The text of a copy, and the milliseconds that it has yet to live. */
type Copy = readonly [text: string | null, lifetime: number];

function ttlOf(value: object | null): number {
  return value ? HIT_TTL_MS : MISS_TTL_MS;
}

/** Stands in the place of a value that has just changed, for longer than any read of the old one can take. */
export const CHANGED = '';
export const CHANGED_FOR_MS = 60_000;
