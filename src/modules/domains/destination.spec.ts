import { destinationOf, type Leading, withRequestQuery } from './destination';

function link(originalUrl: string, utm: Partial<Leading> = {}): Leading {
  return {
    originalUrl,
    utmSource: null,
    utmMedium: null,
    utmTerm: null,
    utmContent: null,
    ...utm,
  };
}

function location(target: Leading, query = ''): string {
  return withRequestQuery(destinationOf(target), query).location;
}

describe('where a redirect leads', () => {
  it.each([
    'https://example.com',
    'https://example.com/?abc',
    'https://example.com/a%2Bb?x=%2B&y=+#frag?ment',
    'https://example.com/?',
    'https://EXAMPLE.com/A?b=c&b=d&=e',
  ])('keeps %s byte for byte when nothing is added', (url) => {
    expect(location(link(url))).toBe(url);
  });

  it.each([
    ['https://example.com', 'a=1', 'https://example.com?a=1'],
    ['https://example.com/?abc#top', 'a=%2B', 'https://example.com/?abc&a=%2B#top'],
    ['https://example.com/?a=own', 'a=theirs&b=2', 'https://example.com/?a=own&b=2'],
    ['https://example.com/?%61=own', 'a=theirs', 'https://example.com/?%61=own'],
    ['https://example.com/', 'a=1&a=2', 'https://example.com/?a=1&a=2'],
    ['https://example.com/', 'flag', 'https://example.com/?flag'],
    ['https://example.com/', 'cid=42', 'https://example.com/'],
    ['https://example.com/', 'cid=42&x=1', 'https://example.com/?x=1'],
    ['https://example.com/', '&&x=1&', 'https://example.com/?x=1'],
    ['https://example.com/#/route?inner=1', 'x=1', 'https://example.com/?x=1#/route?inner=1'],
    ['https://example.com/', 'bad=%E0%A4%A', 'https://example.com/?bad=%E0%A4%A'],
  ])('%s with ?%s leads to %s', (url, query, expected) => {
    expect(location(link(url), query)).toBe(expected);
  });

  it('adds the utm values of the link that the destination lacks', () => {
    const target = link('https://example.com/?utm_source=own', { utmSource: 'link', utmMedium: 'e mail&' });
    expect(location(target)).toBe('https://example.com/?utm_source=own&utm_medium=e%20mail%26');
  });

  it('percent-encodes what a header can not hold, and nothing else', () => {
    expect(location(link('https://example.com/日本?q=é%20'))).toBe(
      'https://example.com/%E6%97%A5%E6%9C%AC?q=%C3%A9%20',
    );
  });

  it('tells the utm values of the visit: destination before link before request', () => {
    const target = link('https://example.com/?utm_source=own', { utmSource: 'link', utmMedium: 'mail' });
    const { utm } = withRequestQuery(destinationOf(target), 'utm_medium=x&utm_term=shoes');
    expect(utm).toEqual(['own', 'mail', 'shoes', null]);
  });
});
