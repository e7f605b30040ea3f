import { readConfig } from './config';
import { InvalidConfiguration } from './invalid-configuration';
import { BadEncryptionKeys, parseEncryptionKeys } from './encryption-keys';

const base64 = (byte: number, length = 32) => Buffer.alloc(length, byte).toString('base64');

describe('ENCRYPTION_KEYS', () => {
  it('lists keys, the active one first, in either base64', () => {
    const keys = parseEncryptionKeys(
      `k2:${base64(0xfb)}, k1:${Buffer.alloc(32, 0xff).toString('base64url')}\n`,
    );
    expect(keys.map(({ id }) => id)).toEqual(['k2', 'k1']);
    expect(keys.map(({ key }) => [...key].every((byte, _, all) => byte === all[0]))).toEqual([true, true]);
    expect(keys.map(({ key }) => key[0])).toEqual([0xfb, 0xff]);
  });

  it.each([
    ['no id', base64(1)],
    ['an empty id', `:${base64(1)}`],
    ['a long id', `${'k'.repeat(17)}:${base64(1)}`],
    ['an id with a dot', `k.1:${base64(1)}`],
    ['31 bytes', `k1:${base64(1, 31)}`],
    ['33 bytes', `k1:${base64(1, 33)}`],
    ['hex', `k1:${'ab'.repeat(32)}`],
    ['another alphabet', `k1:${'*'.repeat(43)}=`],
    ['a comma at the end', `k1:${base64(1)},`],
    ['an id twice', `k1:${base64(1)},k1:${base64(2)}`],
  ])('is rejected with %s, without repeating the key', (_, text) => {
    expect(() => parseEncryptionKeys(text)).toThrow(BadEncryptionKeys);
    const read = () => readConfig({ ENCRYPTION_KEYS: text });
    expect(read).toThrow(InvalidConfiguration);
    expect(read).toThrow(/^ENCRYPTION_KEYS: (?:entry \d must be <id>|every key needs)/);
    expect(read).not.toThrow(text.slice(-20));
  });
});
