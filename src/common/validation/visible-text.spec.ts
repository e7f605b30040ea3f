import { identifierProblem, isBlank } from './visible-text';

describe('text of which nothing can be seen', () => {
  it.each([
    '',
    ' ',
    '\u200b',
    '\u2060',
    '\ufeff',
    '\u202e\u202c',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\t\u0001',
    '\ufe0f',
  ])('is blank: %j', (text) => {
    expect(isBlank(text)).toBe(true);
  });

  it.each(['a', ' 가 ', '\u200b1', '❤️', '.'])('is not blank: %j', (text) => {
    expect(isBlank(text)).toBe(false);
  });
});

describe('an identifier', () => {
  it.each(['order-1', '봄 세일', 'क्‍ष', 'می‌خواهم', '❤️', '👩‍👩‍👧', '👍🏽', '1️⃣', '🏳️‍🌈'])('may be %j', (text) => {
    expect(identifierProblem(text)).toBeNull();
  });

  it.each([
    ...[
      'a\u200b',
      'a\u2060b',
      '\ufeffa',
      'a\u202eb',
      'a\u200db',
      'a\ufe0f',
      '가\u3164나',
      'a\u00adb',
      'a\tb',
    ],
    ...['a\u2028b', '1\ufe0f', '❤\u200d', 'a\u034fb', 'a\u2066b'],
  ])('may not be %j', (text) => {
    expect(identifierProblem(text)).toBe('must not contain invisible or control characters');
  });
});
