import { LRUCache } from 'lru-cache';

const ONE = () => 1;

/** UTF-8 bytes of a key. Visitors choose many of them, so that a number of entries alone bounds no memory. */
export const MAX_KEY_BYTES = 512;
/** Of UTF-8, for one unit of a string. */
const MOST_BYTES = 3;

/**
 * An LRU cache of at most `max` entries. Nothing is kept under a key that is longer than `MAX_KEY_BYTES`; where values
 * may be large, `weightOf` says as how many entries one counts. Memory is taken as the cache fills: with its option
 * `max`, the library would reserve all of it at once, and a start would spend most of its time there.
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
