import { slotOf } from './key-slot';

describe('slotOf', () => {
  it.each([
    ['123456789', 0x31c3],
    ['foo', 12_182],
    ['wp:{clicks:0}:stream', 7_888],
    ['{clicks:0}', 7_888],
    ['clicks:0', 7_888],
    ['{}foo', 9_500],
    ['foo{}{bar}', 8_363],
    ['foo{{bar}}zap', 4_015],
    ['열쇠', 6_160],
  ])('of %s is %d, as Redis computes it', (key, slot) => {
    expect(slotOf(key)).toBe(slot);
  });
});
