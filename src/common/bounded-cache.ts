import { LRUCache } from 'lru-cache';

const ONE = () => 1;

/**
 * A cache of at most `max` entries that drops the least recently used. It takes memory as it fills: with its option
 * `max`, the library would reserve all of it at once, and a start would spend most of its time there.
 */
export class BoundedCache<K extends string | number, V extends object | string | number> extends LRUCache<
  K,
  V
> {
  constructor(max: number) {
    super({ maxSize: max, sizeCalculation: ONE });
  }
}
