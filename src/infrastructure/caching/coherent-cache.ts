import { BoundedCache } from '../../common/bounded-cache';
import { withDeadline } from '../../common/deadline';
import type { Lookups } from './cache-lookups';
import type { InvalidationBus } from './invalidation-bus';

interface Entry<V> {
  value: V | null;
  /** Milliseconds of the monotonic clock. */
  loadedAt: number;
  reloadAt: number;
}

interface Loading<V> {
  promise: Promise<V | null>;
  startedAt: number;
  /** A change was announced while the load ran, so its result is not cached. */
  outdated: boolean;
}

/** Characters of JSON that count as one entry: a link's rules can exceed 100 KB. */
const ENTRY_LENGTH = 2_048;
/** TTL while changes are announced, and while not (docs/concepts/redirects.md#how-soon-changes-show promises 1 s). */
const COHERENT_TTL_MS = 60_000;
const BLIND_TTL_MS = 900;
/**
 * Refresh-ahead: an entry in use is reloaded at a random point between ⅓ and ⅔ of its TTL, so that entries
 * loaded together do not expire together and no reader waits. Reloads are batched, because a round trip costs
 * much more than a key; while the store fails, each key is retried once a second.
 */
const MAX_RELOADS = 32;
const BATCH_WINDOW_MS = 200;
const RELOAD_AGAIN_MS = 1_000;
/** Limit for a load if a stale value is available, which is then served for a while without loading. */
const LOAD_TIMEOUT_MS = 1_000;
const HANGING_MS = 5_000;
/** Limit for a load when there is no stale value to serve. */
const LOAD_LIMIT_MS = 5_000;

/**
 * A bounded in-memory cache of another store, negative results included, kept coherent by the invalidation
 * bus. If the store is down, stale values are served (docs/operations.md#outages). Why it is not a library:
 * docs/adr/0042-caches-that-redirects-read-are-our-own.md.
 */
export class CoherentCache<V extends object> {
  private readonly hits: BoundedCache<string, Entry<V>>;
  /** Separate from the hits, so that a scan over unknown keys evicts no hits. */
  private readonly misses: BoundedCache<string, Entry<V>>;
  private readonly loading = new Map<string, Loading<V>>();
  /** Keys waiting for the next batch of reloads. */
  private readonly due = new Set<string>();
  private batchTimer: NodeJS.Timeout | undefined;
  private readonly maxAgeMs: number;
  private readonly lookups: Lookups;
  private hangingUntil = -Infinity;

  constructor(
    private readonly bus: InvalidationBus,
    private readonly topic: string,
    private readonly load: (key: string) => Promise<V | null>,
    /**
     * @param maxEntries a value counts as one entry per 2,048 characters of its JSON
     * @param maxAgeMs TTL while changes are announced
     */
    { maxEntries, maxAgeMs = COHERENT_TTL_MS }: { maxEntries: number; maxAgeMs?: number },
  ) {
    this.maxAgeMs = maxAgeMs;
    this.hits = new BoundedCache(maxEntries, ({ value }) =>
      Math.min(maxEntries, Math.ceil(JSON.stringify(value).length / ENTRY_LENGTH)),
    );
    this.misses = new BoundedCache(Math.ceil(maxEntries / 4));
    bus.on(topic, (keys) => this.forget(keys));
    this.lookups = bus.lookups.of(topic);
  }

  /** Looks a value up in memory. @returns undefined if it is absent or stale: call `get` then */
  peek(key: string): V | null | undefined {
    // `peek` does not update recency, which would cost more than the hit itself; reloads of entries in use do.
    const entry = this.hits.peek(key) ?? this.misses.peek(key);
    if (!entry) return undefined;
    const now = performance.now();
    const maxAge = this.bus.coherent ? this.maxAgeMs : BLIND_TTL_MS;
    if (now - entry.loadedAt >= maxAge) return undefined;
    if (now >= entry.reloadAt) this.reloadBehind(key, entry, now);
    this.lookups.hits++;
    return entry.value;
  }

  /**
   * The value, or null if there is none.
   * @throws if there is no stale value: the error of `load`, or DeadlineExceeded if it times out
   */
  async get(key: string): Promise<V | null> {
    const known = this.peek(key);
    if (known !== undefined) return known;
    this.lookups.misses++;
    const loading = this.loading.get(key) ?? this.startLoading(key);
    return this.old(key) ? this.loadedOrOld(key, loading) : withDeadline(loading.promise, LOAD_LIMIT_MS);
  }

  /** Announces that these keys have changed. Call it after the commit. */
  async invalidate(keys: readonly string[]): Promise<void> {
    await this.bus.publish(this.topic, keys);
  }

  private old(key: string): Entry<V> | undefined {
    return this.hits.get(key) ?? this.misses.get(key);
  }

  private async loadedOrOld(key: string, loading: Loading<V>): Promise<V | null> {
    const now = performance.now();
    const timeLeft = now < this.hangingUntil ? 0 : loading.startedAt + LOAD_TIMEOUT_MS - now;
    if (timeLeft > 0) {
      try {
        return await withDeadline(loading.promise, timeLeft);
      } catch {
        this.hangingUntil = performance.now() + HANGING_MS;
      }
    }
    // Undefined if the key was invalidated in the meantime.
    const old = this.old(key);
    return old ? old.value : withDeadline(loading.promise, LOAD_LIMIT_MS);
  }

  private startLoading(key: string): Loading<V> {
    const startedAt = performance.now();
    const loading: Loading<V> = { outdated: false, startedAt, promise: Promise.resolve(null) };
    loading.promise = this.reload(key, loading).finally(() => {
      if (this.loading.get(key) === loading) this.loading.delete(key);
    });
    // The caller may already have continued with the stale value.
    loading.promise.catch(() => undefined);
    this.loading.set(key, loading);
    return loading;
  }

  private async reload(key: string, loading: Loading<V>): Promise<V | null> {
    const loadedAt = performance.now();
    let value: V | null;
    try {
      value = await this.load(key);
    } catch (error) {
      if (performance.now() < this.hangingUntil) this.hangingUntil = performance.now() + HANGING_MS;
      const old = this.old(key);
      if (old) return old.value;
      throw error;
    }
    this.hangingUntil = -Infinity;
    if (loading.outdated) return value;
    const [into, other] = value ? [this.hits, this.misses] : [this.misses, this.hits];
    const reloadAt = loadedAt + ((1 + Math.random()) / 3) * this.maxAgeMs;
    into.set(key, { value, loadedAt, reloadAt });
    other.delete(key);
    return value;
  }

  private reloadBehind(key: string, entry: Entry<V>, now: number): void {
    if (this.loading.size >= MAX_RELOADS || this.loading.has(key)) return;
    entry.reloadAt = now + RELOAD_AGAIN_MS;
    this.due.add(key);
    if (this.due.size >= MAX_RELOADS) this.reloadDue();
    else this.batchTimer ??= setTimeout(() => this.reloadDue(), BATCH_WINDOW_MS).unref();
  }

  private reloadDue(): void {
    clearTimeout(this.batchTimer);
    this.batchTimer = undefined;
    for (const key of this.due) if (!this.loading.has(key)) this.startLoading(key);
    this.due.clear();
  }

  private forget(keys: readonly string[] | null): void {
    for (const key of keys ?? [...this.loading.keys()]) {
      const loading = this.loading.get(key);
      if (loading) loading.outdated = true;
      this.loading.delete(key);
    }
    if (keys) {
      for (const key of keys) {
        this.hits.delete(key);
        this.misses.delete(key);
      }
      return;
    }
    // Expires all entries, but keeps them as stale values in case the store is down.
    for (const cache of [this.hits, this.misses]) {
      for (const entry of cache.values()) entry.loadedAt = -Infinity;
    }
  }
}
