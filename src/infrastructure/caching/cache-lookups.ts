export interface Lookups {
  hits: number;
  misses: number;
}

export class CacheLookups {
  readonly name = 'waypost_cache_lookups_total';
  private readonly caches = new Map<string, Lookups>();

  of(cache: string): Lookups {
    const lookups = this.caches.get(cache) ?? { hits: 0, misses: 0 };
    this.caches.set(cache, lookups);
    return lookups;
  }

  get() {
    return {
      name: this.name,
      help: 'Look-ups in caches in memory, by result',
      type: 'counter' as const,
      values: [...this.caches].flatMap(([cache, { hits, misses }]) => [
        { labels: { cache, result: 'hit' }, value: hits },
        { labels: { cache, result: 'miss' }, value: misses },
      ]),
    };
  }
}
