import { destinationOf, ownDestinationOf, type Leading, withRequestQuery } from './destination';

function link(originalUrl: string, utm: Partial<Leading> = {}): Leading {
  return {
    originalUrl,
    utmSource: null,
    utmMedium: null,
    utmTerm: null,
    utmContent: null,
    utmCampaign: null,
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
    "https://example.com:443/../a?filter[x]=1&y=(2)!*';,@:/?$+~#a[b]",
    'https://xn--bcher-kva.example/100%',
    'https://[2606:4700::1111]/',
    'https://EXAMPLE.com/A?b=c&b=d&=e',
  ])('leaves %s unchanged when nothing is added', (url) => {
    expect(location(link(url))).toBe(url);
  });

  it.each([
    ['https://example.com/a#b#c', 'https://example.com/a#b%23c'],
    ['https://example.com/#!/a##b?c#d', 'https://example.com/#!/a%23%23b?c%23d'],
    [
      'https://EXAMPLE.com:443/../a[1]/%5b?f[x]=1#g[y]',
      'https://EXAMPLE.com:443/../a%5B1%5D/%5b?f[x]=1#g[y]',
    ],
    ['https://[2606:4700::1111]:8443/[a]', 'https://[2606:4700::1111]:8443/%5Ba%5D'],
    ['https://example.com/[a b]?c={d}#e#f', 'https://example.com/%5Ba%20b%5D?c=%7Bd%7D#e%23f'],
    ['https://example.com/a|b^c`d"e<f>', 'https://example.com/a%7Cb%5Ec%60d%22e%3Cf%3E'],
    ['https://example.com/?a=|^`{}"<>', 'https://example.com/?a=%7C%5E%60%7B%7D%22%3C%3E'],
    ['https://example.com/#|^`{}"<> #', 'https://example.com/#%7C%5E%60%7B%7D%22%3C%3E%20%23'],
  ])('escapes in %s what strict clients refuse: %s', (url, expected) => {
    expect(location(link(url))).toBe(expected);
    expect(location(link(expected))).toBe(expected);
    // The grammar of RFC 3986; java.net.URI additionally allows brackets after the path.
    const [, path = '', query = '', fragment = ''] =
      /^https:\/\/[^/]+([^?#]*)\??([^#]*)#?(.*)$/.exec(expected) ?? [];
    expect(path).toMatch(/^(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*$/i);
    for (const part of [query, fragment])
      expect(part).toMatch(/^(?:[\w\-.~!$&'()*+,;=:@/?[\]]|%[\da-f]{2})*$/i);
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
  ])('%s with ?%s redirects to %s', (url, query, expected) => {
    expect(location(link(url), query)).toBe(expected);
  });

  it('adds the utm values of the link that the destination lacks', () => {
    const target = link('https://example.com/?utm_source=own', { utmSource: 'link', utmMedium: 'e mail&' });
    expect(location(target)).toBe('https://example.com/?utm_source=own&utm_medium=e%20mail%26');
  });

  it.each([
    ['https://example.com/?utm_source=own#top', 'https://example.com/?utm_source=li%20nk#top'],
    [
      'https://example.com/?a&&%75tm_source=own&b=%2B&utm_source=x',
      'https://example.com/?a&&utm_source=li%20nk&b=%2B',
    ],
    ['https://example.com/?utm_source=', 'https://example.com/?utm_source=li%20nk'],
    [
      'https://example.com/?utm_source=li+nk&utm_source=x',
      'https://example.com/?utm_source=li+nk&utm_source=x',
    ],
    ['https://example.com/#?utm_source=own', 'https://example.com/?utm_source=li%20nk#?utm_source=own'],
  ])('puts the utm values of the link into %s', (url, expected) => {
    expect(ownDestinationOf(link(url, { utmSource: 'li nk' })).location).toBe(expected);
  });

  it.each([
    ['https://example.com/日本?q=é%20', 'https://example.com/%E6%97%A5%E6%9C%AC?q=%C3%A9%20'],
    ['https://한국.example/길?q=%2B&abc#끝', 'https://xn--3e0b707e.example/%EA%B8%B8?q=%2B&abc#%EB%81%9D'],
    ['https://Bücher.example', 'https://xn--bcher-kva.example/'],
    ['https://b%C3%BCcher.example/a%2Fb', 'https://xn--bcher-kva.example/a%2Fb'],
    ['https://faß.example:8443/', 'https://xn--fa-hia.example:8443/'],
    [
      'https://example.com/a|b"c?q={x}^`|<y>&z=%7B',
      'https://example.com/a%7Cb%22c?q=%7Bx%7D%5E%60%7C%3Cy%3E&z=%7B',
    ],
  ])('redirects to %s in the form of strict clients', (url, expected) => {
    expect(location(link(url))).toBe(expected);
    expect(location(link(url, { utmSource: '한' }), 'x=1')).toBe(
      location(link(expected, { utmSource: '한' }), 'x=1'),
    );
  });

  it('escapes the bytes of a request that a URL cannot contain', () => {
    const bytes = Buffer.from('a=é&b={|}&c=%2B').toString('latin1');
    const { location: there } = withRequestQuery(destinationOf(link('https://example.com/')), bytes);
    expect(there).toBe('https://example.com/?a=%C3%A9&b=%7B%7C%7D&c=%2B');
  });

  it('reads the utm values of such a request', () => {
    const bytes = Buffer.from('utm_source=é').toString('latin1');
    expect(withRequestQuery(destinationOf(link('https://example.com/')), bytes).utm).toEqual([
      'é',
      null,
      null,
      null,
      null,
    ]);
  });

  it('reports the utm values of the visit: destination before link before request', () => {
    const target = link('https://example.com/?utm_source=own', { utmSource: 'link', utmMedium: 'mail' });
    const query = 'utm_medium=x&utm_term=shoes&utm_campaign=spring';
    const { utm } = withRequestQuery(destinationOf(target), query);
    expect(utm).toEqual(['own', 'mail', 'shoes', null, 'spring']);
  });

  it.each(['https://example.com/?utm_campaign=own&a=1', 'https://example.com/?a=1'])(
    'puts the campaign of the link into %s',
    (url) => {
      const there = ownDestinationOf(link(url, { utmCampaign: 'autumn sale' }));
      expect(new URL(there.location).searchParams.getAll('utm_campaign')).toEqual(['autumn sale']);
      expect(there.utm).toEqual([null, null, null, null, 'autumn sale']);
    },
  );
});
