import { type Cell, Encryption, Undecipherable } from './encryption';

const key = (id: string, byte: number) => ({ id, key: Buffer.alloc(32, byte) });
const CELL: Cell = { table: 'apps', column: 'api_key', organizationId: 7, rowId: 42 };

describe('encryption at rest', () => {
  const encryption = new Encryption([key('k1', 1)]);

  it.each(['', 'wp_app_secret', '전화 ☎️ 😀', 'x'.repeat(100_000)])('decrypts what it encrypted', (text) => {
    const value = encryption.encrypt(text, CELL);
    expect(value).toMatch(/^k1\.[A-Za-z0-9_-]+$/);
    expect(value).not.toContain(text || 'wp_');
    expect(encryption.decrypt(value, CELL)).toBe(text);
  });

  it('encrypts the same text to a different value each time', () => {
    const values = Array.from({ length: 100 }, () => encryption.encrypt('same', CELL));
    expect(new Set(values).size).toBe(100);
  });

  it.each([
    ['table', { table: 'contacts' }],
    ['column', { column: 'phone' }],
    ['organization', { organizationId: 8 }],
    ['row', { rowId: 43 }],
  ])('binds a value to its %s', (_, other) => {
    const value = encryption.encrypt('secret', CELL);
    expect(() => encryption.decrypt(value, { ...CELL, ...other })).toThrow(Undecipherable);
  });

  it('distinguishes cells whose concatenated names are equal', () => {
    const value = encryption.encrypt('secret', { ...CELL, table: 'a', column: 'b","c' });
    expect(() => encryption.decrypt(value, { ...CELL, table: 'a","b', column: 'c' })).toThrow(Undecipherable);
  });

  it('detects every changed, missing and added character', () => {
    const value = encryption.encrypt('secret', CELL);
    for (let i = 0; i < value.length; i++) {
      const other = value[i] === 'A' ? 'B' : 'A';
      // Bytes are compared, because the last character of Base64 has unused bits.
      const changed = value.slice(0, i) + other + value.slice(i + 1);
      if (bytes(changed).equals(bytes(value)) && i > 2) continue;
      expect(() => encryption.decrypt(changed, CELL)).toThrow(Undecipherable);
    }
    for (const text of [value.slice(0, -2), `${value}AA`, 'k1.', 'k1', '', 'k1.AAAA']) {
      expect(() => encryption.decrypt(text, CELL)).toThrow(Undecipherable);
    }
  });

  it('decrypts values of older keys, encrypts with the first key, and reports which key was used', () => {
    const rotated = new Encryption([key('k2', 2), key('k1', 1)]);
    const old = encryption.encrypt('secret', CELL);
    const now = rotated.encrypt('secret', CELL);
    expect([rotated.decrypt(old, CELL), rotated.decrypt(now, CELL)]).toEqual(['secret', 'secret']);
    expect([old, now].map((value) => value.split('.')[0])).toEqual(['k1', rotated.activeKeyId]);
    expect(['k1', 'k2', 'k3'].map((id) => rotated.has(id))).toEqual([true, true, false]);
    expect(() => encryption.decrypt(now, CELL)).toThrow(/"k2".*ENCRYPTION_KEYS/);
  });

  it('rejects another key with the same id, and the same key under another id', () => {
    const value = encryption.encrypt('secret', CELL);
    expect(() => new Encryption([key('k1', 9)]).decrypt(value, CELL)).toThrow(Undecipherable);
    const renamed = value.replace('k1.', 'k9.');
    expect(() => new Encryption([key('k9', 1)]).decrypt(renamed, CELL)).toThrow(Undecipherable);
  });

  it('reveals neither text nor key when it fails', () => {
    const value = encryption.encrypt('secret', CELL);
    expect(() => encryption.decrypt(value, { ...CELL, rowId: 1 })).toThrow(
      'apps.api_key of row 1 cannot be decrypted with key "k1"',
    );
  });
});

const bytes = (value: string) => Buffer.from(value.slice(3), 'base64url');
