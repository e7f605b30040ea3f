import { cut, sanitizeText } from './sanitize-text';

describe('text that is cut', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab😀d', 3, 'ab😀'],
    ['a😀😀d', 2, 'a😀'],
    ['😀😀', 2, '😀😀'],
    ['한글한글', 2, '한글'],
    ['abc', 0, ''],
  ])('%s to %d characters', (text, max, expected) => {
    expect(cut(text, max)).toBe(expected);
    expect(sanitizeText(text, max)).toBe(expected);
  });

  it('holds neither NUL nor half a character', () => {
    expect(sanitizeText('a\u0000b\ud83d', 9)).toBe('ab\ufffd');
    expect(sanitizeText('\u0000'.repeat(5) + 'abc', 3)).toBe('abc');
  });
});
