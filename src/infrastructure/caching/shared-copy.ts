import type { Redis } from 'ioredis';
import { withDeadline } from '../../common/deadline';
import type { RedisStore } from '../redis/redis';

const HIT_TTL_MS = 5 * 60_000;
const MISS_TTL_MS = 60_000;
/** A copy is there to save time: who hangs is not waited for. */
const PATIENCE_MS = 250;

/**
 * A copy in Redis of what Postgres holds, shared by all processes. A changed key is marked, not deleted: a reader
 * that asked Postgres before the change can then not put its old answer back (see InvalidationBus.publish). Copies
 * from before an outage of Redis are not believed: what changed during it could not be marked.
 */
export class SharedCopy<V extends object> {
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
    const [text, lifetime] = await withDeadline(read(client, name), PATIENCE_MS).catch(
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
}

function ttlOf(value: object | null): number {
  return value ? HIT_TTL_MS : MISS_TTL_MS;
}

/** A copy and the milliseconds that it has yet to live. */
async function read(client: Redis, name: string): Promise<[text: string | null, lifetime: number]> {
  const [text, lifetime] = await Promise.all([client.get(name), client.pttl(name)]);
  return [text, lifetime];
}

/** Stands in the place of a value that has just changed, for longer than any read of the old one can take. */
export const CHANGED = '';
export const CHANGED_FOR_MS = 60_000;
