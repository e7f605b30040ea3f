import { LRUCache } from 'lru-cache';

const ONE = () => 1;

/**
 * UTF-8 bytes of a key. Visitors choose many keys, so limiting the number of entries alone would not bound
 * memory.
 */
export const MAX_KEY_BYTES = 512;
/** Maximum UTF-8 bytes per UTF-16 unit. */
const MOST_BYTES = 3;

/**
 * An LRU cache of at most `max` entries, whose keys have at most `MAX_KEY_BYTES`; `weightOf` returns how many entries a
 * large value counts as. Memory is allocated as the cache fills: the library's `max` option would allocate everything
 * at once, which would dominate the start-up time.
 */
export class BoundedCache<K extends string | number, V extends object | string | number> extends LRUCache<
  K,
  V
> {
  constructor(max: number, weightOf: (value: V) => number = ONE) {
    super({ maxSize: max, sizeCalculation: weightOf });
  }

  override set(key: K, value: V): this {
    return isLong(key) ? this : super.set(key, value);
  }
}

function isLong(key: string | number): boolean {
  return (
    typeof key === 'string' &&
    key.length * MOST_BYTES > MAX_KEY_BYTES &&
    Buffer.byteLength(key) > MAX_KEY_BYTES
  );
}
