import { BoundedCache, MAX_KEY_BYTES } from './bounded-cache';

describe('A bounded cache', () => {
  it('stores nothing under a key that is too long, whatever its characters', () => {
    const cache = new BoundedCache<string, string>(10);
    const longest = ['x'.repeat(MAX_KEY_BYTES), '링'.repeat(170)];
    const tooLong = ['x'.repeat(MAX_KEY_BYTES + 1), '링'.repeat(171), 'é'.repeat(257)];
    for (const key of [...longest, ...tooLong]) cache.set(key, 'value');
    expect(longest.map((key) => cache.get(key))).toEqual(['value', 'value']);
    expect(tooLong.map((key) => cache.get(key))).toEqual([undefined, undefined, undefined]);
  });

  it('evicts the least recently used entry', () => {
    const cache = new BoundedCache<number, string>(2);
    cache.set(1, 'a').set(2, 'b');
    cache.get(1);
    cache.set(3, 'c');
    expect([1, 2, 3].map((key) => cache.get(key))).toEqual(['a', undefined, 'c']);
  });
});
