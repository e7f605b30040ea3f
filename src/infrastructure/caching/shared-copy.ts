import DataLoader from 'dataloader';
import { withDeadline } from '../../common/deadline';
import type { RedisStore } from '../redis/redis';

const HIT_TTL_MS = 5 * 60_000;
const MISS_TTL_MS = 60_000;
/** A slow Redis is skipped, because the copy exists to save time. */
const READ_TIMEOUT_MS = 250;
const MAX_BATCH = 100;

/**
 * Values of Postgres copied to Redis and shared by all processes. A changed key is marked rather than
 * deleted, so that a reader that queried Postgres before the change cannot write its stale value back (see
 * InvalidationBus.publish). Copies written before an outage of Redis are ignored: changes during the outage
 * could not be marked.
 */
export class SharedCopy<V extends object> {
  /** Batches concurrent reads into one round trip. */
  private readonly copies = new DataLoader((names: readonly string[]) => this.read(names), {
    cache: false,
    maxBatchSize: MAX_BATCH,
    // Schedules for the next turn of the event loop: requests of different connections run in different
    // ticks.
    batchScheduleFn: setImmediate,
  });

  constructor(
    private readonly redis: RedisStore,
    private readonly topic: string,
  ) {}

  /**
   * The value from Redis, or else from `load`, whose result is then shared. If Redis is down, only `load` is
   * used.
   */
  async get(key: string, load: () => Promise<V | null>): Promise<V | null> {
    const name = this.redis.copyKey(this.topic, key);
    const client = this.redis.readyFor(name);
    if (!client) return load();
    const oldest = this.redis.connectedFor(name);
    const [text, lifetime] = await withDeadline(this.copies.load(name), READ_TIMEOUT_MS).catch(
      () => UNREADABLE,
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

  /**
   * Replaces the copy of a key that has just been marked as changed with the value of `load`, unless it has changed
   * again since: `load` may then have read the older value.
   * @param turn id of the mark; null for a new key, which has none
   * @returns whether there is a copy now
   */
  async fill(key: string, turn: string | null, load: () => Promise<V | null>): Promise<boolean> {
    const name = this.redis.copyKey(this.topic, key);
    const client = this.redis.readyFor(name);
    if (!client) return false;
    if (turn === null) {
      await this.get(key, load);
      return true;
    }
    const value = await load();
    const text = JSON.stringify(value);
    return (await client.eval(FILL, 2, name, this.redis.turnKey(name), turn, text, ttlOf(value))) === 1;
  }

  private async read(names: readonly string[]): Promise<Copy[]> {
    const found = new Map<string, Copy>();
    const reads = [...this.redis.byServer(names)].map(async ([client, group]) => {
      if (!client) return;
      const pipeline = client.pipeline();
      for (const name of group) pipeline.get(name).pttl(name);
      const answers = (await pipeline.exec()) ?? [];
      group.forEach((name, i) => {
        const [text, lifetime] = [answers[2 * i], answers[2 * i + 1]];
        if (text && !text[0] && lifetime && !lifetime[0])
          found.set(name, [text[1] as string | null, lifetime[1] as number]);
      });
    });
    await Promise.allSettled(reads);
    return names.map((name) => found.get(name) ?? UNREADABLE);
  }
}

/** The text of a copy, and its remaining TTL in milliseconds. */
type Copy = readonly [text: string | null, lifetime: number];

function ttlOf(value: object | null): number {
  return value ? HIT_TTL_MS : MISS_TTL_MS;
}

/** Placeholder of a key that has just changed; it outlives any read of the old value. */
export const CHANGED = '';
export const CHANGED_FOR_MS = 60_000;

const FILL = `
  if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return 1`;

const UNREADABLE: Copy = [CHANGED, 0];
