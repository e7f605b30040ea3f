import { BoundedCache } from '../../common/bounded-cache';
import { withDeadline } from '../../common/deadline';
import type { InvalidationBus } from './invalidation-bus';

interface Entry<V> {
  value: V | null;
  /** Milliseconds, by the monotonic clock. */
  loadedAt: number;
  /** From here on a look-up starts a reload in the background. */
  reloadAt: number;
}

interface Loading<V> {
  promise: Promise<V | null>;
  startedAt: number;
  /** A change was announced during the load: its result may be stale and is not stored. */
  outdated: boolean;
}

/** Characters of JSON up to which a value counts as one entry: a link may have rules of 100 KB and more. */
const ENTRY_LENGTH = 2_048;
/**
 * TTL while the bus announces changes, and while it can't: changes show within 1 s
 * (docs/concepts/redirects.md#how-soon-changes-show).
 */
const COHERENT_TTL_MS = 60_000;
const BLIND_TTL_MS = 900;
/**
 * Refresh-ahead: an entry in use is reloaded at a random point between ⅓ and ⅔ of its TTL, so that nobody waits and
 * entries loaded together do not expire together. Reloads are gathered into batches, as a query costs much more than
 * one key of it, and a failed one is retried after `RELOAD_AGAIN_MS`.
 */
const MAX_RELOADS = 32;
const GATHERED_FOR_MS = 200;
const RELOAD_AGAIN_MS = 1_000;
/** A stale value is served after this wait, and for `HANGING_MS` after that without waiting. */
const LOAD_TIMEOUT_MS = 1_000;
const HANGING_MS = 5_000;
/** Without a stale value, a load that takes longer than this fails. */
const LOAD_LIMIT_MS = 5_000;

/**
 * A bounded in-memory cache of rows and misses, invalidated through the bus, with a synchronous look-up for redirects.
 * Stale values are served while no store answers (docs/operations.md#outages). Why no library's:
 * docs/adr/0042-caches-that-redirects-read-are-our-own.md.
 */
export class CoherentCache<V extends object> {
  private readonly hits: BoundedCache<string, Entry<V>>;
  /** Separate from the hits, so that a scan of unknown keys evicts no hits. */
  private readonly misses: BoundedCache<string, Entry<V>>;
  private readonly loading = new Map<string, Loading<V>>();
  /** Keys of the next batch of reloads. */
  private readonly due = new Set<string>();
  private gathering: NodeJS.Timeout | undefined;
  private readonly maxAgeMs: number;
  private hangingUntil = -Infinity;

  constructor(
    private readonly bus: InvalidationBus,
    private readonly topic: string,
    private readonly load: (key: string) => Promise<V | null>,
    /**
     * `maxEntries`: a value counts as one entry for each 2,048 characters of its JSON. `maxAgeMs`: the TTL while the bus
     * announces changes.
     */
    { maxEntries, maxAgeMs = COHERENT_TTL_MS }: { maxEntries: number; maxAgeMs?: number },
  ) {
    this.maxAgeMs = maxAgeMs;
    this.hits = new BoundedCache(maxEntries, ({ value }) =>
      Math.min(maxEntries, Math.ceil(JSON.stringify(value).length / ENTRY_LENGTH)),
    );
    this.misses = new BoundedCache(Math.ceil(maxEntries / 4));
    bus.on(topic, (keys) => this.forget(keys));
  }

  /** The fresh value in memory, null for a known miss, or undefined: then call `get`. */
  peek(key: string): V | null | undefined {
    // Does not move the entry to the front of the LRU list: the reload does, which every entry in use gets.
    const entry = this.hits.peek(key) ?? this.misses.peek(key);
    if (!entry) return undefined;
    const now = performance.now();
    const maxAge = this.bus.coherent ? this.maxAgeMs : BLIND_TTL_MS;
    if (now - entry.loadedAt >= maxAge) return undefined;
    if (now >= entry.reloadAt) this.reloadBehind(key, entry, now);
    return entry.value;
  }

  /**
   * The value, or null when there is none.
   * @throws if memory has no value, even a stale one: what `load` throws, or DeadlineExceeded when it takes too long
   */
  async get(key: string): Promise<V | null> {
    const known = this.peek(key);
    if (known !== undefined) return known;
    const loading = this.loading.get(key) ?? this.startLoading(key);
    return this.old(key) ? this.loadedOrOld(key, loading) : withDeadline(loading.promise, LOAD_LIMIT_MS);
  }

  /** Announces changed keys to every process. Call it after the commit. */
  async invalidate(keys: readonly string[]): Promise<void> {
    await this.bus.publish(this.topic, keys);
  }

  private old(key: string): Entry<V> | undefined {
    return this.hits.get(key) ?? this.misses.get(key);
  }

  private async loadedOrOld(key: string, loading: Loading<V>): Promise<V | null> {
    const now = performance.now();
    const patience = now < this.hangingUntil ? 0 : loading.startedAt + LOAD_TIMEOUT_MS - now;
    if (patience > 0) {
      try {
        return await withDeadline(loading.promise, patience);
      } catch {
        this.hangingUntil = performance.now() + HANGING_MS;
      }
    }
    // Undefined if a change was announced meanwhile.
    const old = this.old(key);
    return old ? old.value : withDeadline(loading.promise, LOAD_LIMIT_MS);
  }

  private startLoading(key: string): Loading<V> {
    const startedAt = performance.now();
    const loading: Loading<V> = { outdated: false, startedAt, promise: Promise.resolve(null) };
    loading.promise = this.reload(key, loading).finally(() => {
      if (this.loading.get(key) === loading) this.loading.delete(key);
    });
    // The caller may have returned the stale value and no longer listen.
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
    else this.gathering ??= setTimeout(() => this.reloadDue(), GATHERED_FOR_MS).unref();
  }

  private reloadDue(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
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
    // Announcements may have been missed: everything is stale, but still serves an outage.
    for (const cache of [this.hits, this.misses]) {
      for (const entry of cache.values()) entry.loadedAt = -Infinity;
    }
  }
}
