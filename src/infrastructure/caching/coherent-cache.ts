import { BoundedCache } from '../../common/bounded-cache';
import { withDeadline } from '../../common/deadline';
import type { InvalidationBus } from './invalidation-bus';

interface Entry<V> {
  value: V | null;
  /** Milliseconds, by the monotonic clock. */
  loadedAt: number;
  /** From when on it is loaded anew behind whoever asks for it. */
  reloadAt: number;
}

interface Loading<V> {
  promise: Promise<V | null>;
  startedAt: number;
  /** A change was announced while it ran: what it read may be from before. */
  outdated: boolean;
}

/** Characters of JSON up to which a value counts as one entry: a link may have rules of 100 KB and more. */
const ENTRY_LENGTH = 2_048;
/**
 * Believed this long while changes are announced, and this long while they are not
 * (docs/concepts/redirects.md#how-soon-changes-show: within 1 s).
 */
const COHERENT_TTL_MS = 60_000;
const BLIND_TTL_MS = 900;
/**
 * What is asked for does not get that old: in the second third of its time it is loaded anew. What was loaded together,
 * as at a start, is not all loaded again together, and nobody waits for it. So many at a time, gathered so long, as a
 * question to a store costs much more than a key of it; and each once a second where no store answers.
 */
const MAX_RELOADS = 32;
const GATHERED_FOR_MS = 200;
const RELOAD_AGAIN_MS = 1_000;
/** Where an old value is known, the store is waited for no longer than this; and then for a while not at all. */
const LOAD_TIMEOUT_MS = 1_000;
const HANGING_MS = 5_000;
/** Where nothing is known, it is waited for this long: the store hangs, and an error is better than no answer. */
const LOAD_LIMIT_MS = 5_000;

/**
 * A bounded memory cache of what another store holds, misses included, kept in step by the invalidation bus.
 * A value that can't be loaded again is served as it was: stores may be away for a while (docs/operations.md#outages).
 */
export class CoherentCache<V extends object> {
  private readonly hits: BoundedCache<string, Entry<V>>;
  /** Apart from the hits, so that a scan over unknown keys evicts nothing of use. */
  private readonly misses: BoundedCache<string, Entry<V>>;
  private readonly loading = new Map<string, Loading<V>>();
  /** What is to be loaded anew, together. */
  private readonly due = new Set<string>();
  private gathering: NodeJS.Timeout | undefined;
  private readonly maxAgeMs: number;
  private hangingUntil = -Infinity;

  constructor(
    private readonly bus: InvalidationBus,
    private readonly topic: string,
    private readonly load: (key: string) => Promise<V | null>,
    /**
     * `maxEntries`: a value counts as one entry for each 2,048 characters of its JSON. `maxAgeMs`: how old an answer
     * may be while changes are announced.
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

  /** The value when it is at hand and fresh: no promise, nothing waits. Undefined: ask `get`. */
  peek(key: string): V | null | undefined {
    // Being asked for does not count as use, as that would cost more than all the rest: being loaded again does, which
    // happens to whatever is asked for.
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
   * @throws when nothing is known of the key: what `load` throws, DeadlineExceeded when it does not end in time
   */
  async get(key: string): Promise<V | null> {
    const known = this.peek(key);
    if (known !== undefined) return known;
    const loading = this.loading.get(key) ?? this.startLoading(key);
    return this.old(key) ? this.loadedOrOld(key, loading) : withDeadline(loading.promise, LOAD_LIMIT_MS);
  }

  /** Announces, after the commit, that these keys have changed. */
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
    // It is gone when a change of it was announced meanwhile.
    const old = this.old(key);
    return old ? old.value : withDeadline(loading.promise, LOAD_LIMIT_MS);
  }

  private startLoading(key: string): Loading<V> {
    const startedAt = performance.now();
    const loading: Loading<V> = { outdated: false, startedAt, promise: Promise.resolve(null) };
    loading.promise = this.reload(key, loading).finally(() => {
      if (this.loading.get(key) === loading) this.loading.delete(key);
    });
    // Whoever asked may have gone on with the old value.
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
    // Everything may be old, but stays for the case that no store answers.
    for (const cache of [this.hits, this.misses]) {
      for (const entry of cache.values()) entry.loadedAt = -Infinity;
    }
  }
}
