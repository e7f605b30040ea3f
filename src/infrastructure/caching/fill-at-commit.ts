import type { CoherentCache } from './coherent-cache';
import type { InvalidationBus } from './invalidation-bus';
import type { SharedCopy } from './shared-copy';

/**
 * Reloads values right after the commit that creates or changes them, into Redis or else into memory, so that their
 * first visitor needs no query of Postgres.
 * @param isFilled whether a changed key is loaded; default: all are
 * @param also further values that a redirect to these needs
 */
export function fillAtCommit<S extends object, V extends object>(
  bus: InvalidationBus,
  topic: string,
  {
    cache,
    shared,
    read,
    isFilled = () => true,
    also,
  }: {
    cache: CoherentCache<V>;
    shared: SharedCopy<S>;
    read: (key: string) => Promise<S | null>;
    isFilled?: (key: string) => boolean;
    also?: (filled: ReadonlyMap<string, S | V>) => Promise<void>;
  },
): void {
  bus.fillWith(topic, async (keys, turn) => {
    const filled = new Map<string, S | V>();
    const load = async (key: string) => {
      const value = await read(key);
      if (value) filled.set(key, value);
      return value;
    };
    const fill = async (key: string) => {
      const isShared = await shared.fill(key, turn, () => load(key)).catch(() => false);
      if (isShared) return;
      const value = await cache.get(key);
      if (value) filled.set(key, value);
    };
    await Promise.all(keys.filter(isFilled).map(fill));
    await also?.(filled);
  });
}
