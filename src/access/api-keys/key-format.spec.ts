import { hashKey, isKey, makeKey, displayPrefix } from './key-format';

describe('API key format', () => {
  it('is a prefix, 32 random base62 characters and a checksum of 6', () => {
    expect(makeKey('wp_live_')).toMatch(/^wp_live_[0-9A-Za-z]{38}$/);
    expect(makeKey('wp_app_')).toMatch(/^wp_app_[0-9A-Za-z]{38}$/);
  });

  it('keeps the checksum of keys in use', () => {
    expect(isKey('wp_live_0123456789ABCDEFabcdefXYZxyz00000xb0BU', 'wp_live_')).toBe(true);
  });

  it('recognizes only its own kind of keys', () => {
    const key = makeKey('wp_live_');
    expect(isKey(key, 'wp_live_')).toBe(true);
    expect(isKey(key, 'wp_app_')).toBe(false);
    expect(isKey(key.replace('wp_live_', 'wp_app_'), 'wp_app_')).toBe(false);
  });

  it('detects every wrong, missing and extra character', () => {
    const key = makeKey('wp_live_');
    for (let i = 0; i < key.length; i++) {
      const other = key[i] === 'x' ? 'y' : 'x';
      expect(isKey(key.slice(0, i) + other + key.slice(i + 1), 'wp_live_')).toBe(false);
    }
    expect(isKey(key.slice(1), 'wp_live_')).toBe(false);
    expect(isKey(key.slice(0, -1), 'wp_live_')).toBe(false);
    expect(isKey(`${key}0`, 'wp_live_')).toBe(false);
    expect(isKey('', 'wp_live_')).toBe(false);
  });

  it('draws every character with equal probability', () => {
    const counts = new Map<string, number>();
    const keys = 3_000;
    for (let i = 0; i < keys; i++) {
      for (const character of makeKey('wp_live_').slice(8, 40)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(62);
    // 1,548 per character are expected; modulo without rejection would give the first eight characters 1,875.
    expect(Math.max(...counts.values())).toBeLessThan(1_780);
    expect(Math.min(...counts.values())).toBeGreaterThan(1_320);
  });

  it('shows 12 characters and stores 32 bytes', () => {
    const key = makeKey('wp_live_');
    expect(displayPrefix(key)).toBe(key.slice(0, 12));
    expect(hashKey(key)).toHaveLength(32);
    expect(hashKey(key)).toEqual(hashKey(key));
    expect(hashKey(key)).not.toEqual(hashKey(makeKey('wp_live_')));
  });
});
