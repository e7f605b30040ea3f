import { describePage, type PageDescription } from './page-description';

const URL = 'https://shop.example.com/spring/sale?a=1';

type Described = Pick<PageDescription, 'title' | 'description' | 'image'>;

function describeHtml(html: string | Uint8Array, contentType = 'text/html; charset=utf-8'): Described {
  const { title, description, image } = describeWhole(html, contentType);
  return { title, description, image };
}

function describeWhole(html: string | Uint8Array, contentType = 'text/html'): PageDescription {
  return describePage(typeof html === 'string' ? Buffer.from(html) : html, contentType, URL);
}

describe('description of a page', () => {
  it('prefers Open Graph tags', () => {
    expect(
      describeHtml(`<!DOCTYPE html><html><head><title>Plain</title>
        <meta name="description" content="Plain words">
        <meta property="og:title" content="Spring &amp; &quot;sale&quot;">
        <meta content='20&nbsp;% off' property='og:description' />
        <META PROPERTY=og:image CONTENT=/spring.png>
        <meta property="og:image" content="/second.png">
        </head><body>`),
    ).toEqual({
      title: 'Spring & "sale"',
      description: '20 % off',
      image: 'https://shop.example.com/spring.png',
    });
  });

  it.each([
    ['<link rel="shortcut ICON" href="/a.ico"><link rel=icon href="/b.png">', '/a.ico'],
    [
      '<base href="https://cdn.example.com/x/"><link href="a.png" rel="apple-touch-icon">',
      'https://cdn.example.com/x/a.png',
    ],
    [
      '<link rel="icon" href=""><link rel="mask-icon" href="/a.svg"><link rel="stylesheet" href="/icon">',
      null,
    ],
  ])('has the icon of %s', (html, icon) => {
    expect(describeWhole(html).icon).toBe(icon && new globalThis.URL(icon, URL).href);
  });

  it('has the name of the site', () => {
    expect(describeWhole('<meta property="og:site_name" content="Shop &amp; more">').siteName).toBe(
      'Shop & more',
    );
    expect(describeWhole('<meta name="application-name" content="Shop">').siteName).toBe('Shop');
    expect(describeWhole('<title>Shop</title>').siteName).toBeNull();
  });

  it('falls back to title and description', () => {
    expect(
      describeHtml(
        '<title>\n  The\t&laquo;shop&raquo;&#33;&#x1F338;\n</title><meta name=Description content="a">',
      ),
    ).toEqual({ title: 'The «shop»!🌸', description: 'a', image: null });
  });

  it.each<[string, string, Partial<PageDescription>]>([
    ['nothing', '', { title: null, description: null, image: null }],
    ['garbage', '\u0000\u0001\u0002 <<<>>> </', { title: null }],
    ['an empty title', '<title>  </title><meta property="og:title" content=" ">', { title: null }],
    ['tags in comments', '<!-- <title>no</title> --><title>yes</title>', { title: 'yes' }],
    ['an unterminated comment', '<!-- <title>no</title>', { title: null }],
    ['tags in scripts', '<script>"<title>no</title>"</script><title>yes</title>', { title: 'yes' }],
    ['tags in styles', '<style><title>no</title></style><title>yes</title>', { title: 'yes' }],
    ['tags in a noscript', '<noscript><meta property="og:title" content="no"></noscript>', { title: null }],
    ['tags in the body', '<head></head><body><title>no</title>', { title: null }],
    ['tags after the head', '<head></head><meta property="og:title" content="no">', { title: null }],
    ['an unterminated title', '<title>all of it', { title: 'all of it' }],
    ['markup in a title', '<title>a <b> & c</title>', { title: 'a <b> & c' }],
    ['a > in a value', '<meta property="og:title" content="a > b">', { title: 'a > b' }],
    [
      'an unterminated quote, as browsers do',
      '<meta property="og:title content=x><title>yes</title>',
      { title: null },
    ],
    ['two titles', '<title>one</title><title>two</title>', { title: 'one' }],
    [
      'entities without a semicolon',
      '<title>a &amp b &unknown; &#0; &#xD800; &#9999999;</title>',
      { title: 'a & b &unknown; \ufffd \ufffd \ufffd' },
    ],
    [
      'letters that are longer in lower case',
      `<title>İİİ</title><meta property="og:title" content="İ">`,
      { title: 'İ' },
    ],
    [
      'a base',
      '<base href="/x/"><meta property="og:image" content="a.png">',
      { image: 'https://shop.example.com/x/a.png' },
    ],
    ['an image with an invalid URL', '<meta property="og:image" content="https://[">', { image: null }],
    [
      'a script as the image',
      '<meta property="og:image" content="javascript:alert(1)">',
      { image: 'javascript:alert(1)' },
    ],
    [
      'Twitter tags',
      '<meta name="twitter:title" content="t"><meta name="twitter:image" content="//cdn.example.com/a">',
      { title: 't', image: 'https://cdn.example.com/a' },
    ],
  ])('handles %s', (_name, html, expected) => {
    expect(describeHtml(html)).toMatchObject(expected);
  });

  const KOREAN = Buffer.from([0xba, 0xbd]); // 봄 in EUC-KR.
  it.each<[string, Uint8Array, string, string]>([
    ['from the header', Buffer.concat([Buffer.from('<title>'), KOREAN]), 'text/html; charset=euc-kr', '봄'],
    [
      'from a meta tag',
      Buffer.concat([Buffer.from('<meta charset="EUC-KR"><title>'), KOREAN]),
      'text/html',
      '봄',
    ],
    [
      'from an http-equiv meta tag',
      Buffer.concat([
        Buffer.from('<meta http-equiv=content-type content="text/html; charset=ks_c_5601-1987"><title>'),
        KOREAN,
      ]),
      '',
      '봄',
    ],
    [
      'from the header rather than the meta tag',
      Buffer.from('<meta charset="euc-kr"><title>봄'),
      'text/html; charset=utf-8',
      '봄',
    ],
    [
      'from a byte order mark rather than the header',
      Buffer.from('\ufeff<title>봄'),
      'text/html; charset=euc-kr',
      '봄',
    ],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeff<title>봄', 'utf16le'), 'text/html', '봄'],
    ['UTF-16 declared wrongly', Buffer.from('<meta charset="utf-16"><title>봄'), 'text/html', '봄'],
    ['UTF-8 for an unknown one', Buffer.from('<title>봄'), 'text/html; charset=klingon', '봄'],
    [
      'replacement characters for a wrong one',
      Buffer.concat([Buffer.from('<title>a'), KOREAN]),
      'text/html; charset=utf-8',
      'a\ufffd\ufffd',
    ],
  ])('decodes the encoding: %s', (_name, bytes, contentType, title) => {
    expect(describeHtml(bytes, contentType).title).toBe(title);
  });

  it.each([
    '<',
    '<a "',
    "<a '>",
    '<a ">',
    '<!--',
    '<meta ',
    '<meta content="',
    '<title>',
    '</',
    '<script>',
    '<a =   ',
    '&amp',
    '<meta a=\n',
  ])('parses half a megabyte of %j in linear time', (text) => {
    const html = `<title>${'x'.repeat(10)}</title>${text.repeat(2 ** 19 / text.length)}`;
    const started = process.cpuUsage();
    expect(describeHtml(html).title).toBe('xxxxxxxxxx');
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(1_000);
  });
});
