import { languageOf } from './language';
import { LANGUAGES } from './texts/languages';

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['ko', 'ko'],
    ['ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7', 'ko'],
    ['JA-jp', 'ja'],
    ['ja-Hira-JP-x-any', 'ja'],
    ['xx-XX,xx;q=0.9,ja;q=0.2,en;q=0.1', 'ja'],
    ['en;q=0.3, ko;q=0.31', 'ko'],
    ['en, ko', 'en'],
    ['ko, en', 'ko'],
    ['ko ; q=0.5 , ja\t;\tq=1.000', 'ja'],
    ['xx, yy', 'en'],
    ['*', 'en'],
    ['xx, *;q=0.1', 'en'],
    ['en;q=0.1, *;q=0.8', 'ko'],
    ['en;q=0, *', 'ko'],
    ['ko;q=0', 'en'],
    ['en;q=0', 'en'],
    ['ko;q=0, ko-KR;q=0.4', 'ko'],
    ['ko;q=2, ja;q=0.1', 'ja'],
    ['ko;q=, ja', 'ja'],
    ['ko;level=1', 'en'],
    ['korean', 'en'],
    ['k', 'en'],
    ['constructor, __proto__', 'en'],
    [`${'x'.repeat(9000)}, ko`, 'ko'],
    [`${'xx,'.repeat(5000)}ko`, 'ko'],
  ])('%j: %s', (header, tag) => {
    expect(languageOf(header)).toMatchObject({
      tag,
      texts: LANGUAGES.get(tag),
    });
  });
});
