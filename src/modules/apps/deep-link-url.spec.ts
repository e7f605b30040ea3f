import { deepLinkUrl } from './deep-link-url';

describe('the URL that opens an app', () => {
  it.each([
    ['shop://', '/products/42', 'shop://products/42'],
    ['shop://', 'products/42', 'shop://products/42'],
    ['Com.Example.Shop://', '/a', 'Com.Example.Shop://a'],
    ['shop://', null, 'shop://'],
    ['shop://', '', 'shop://'],
    ['shop://', '/a?next=%2Fb%3Fc%3D1&d=%2B&e=+&flag', 'shop://a?next=%2Fb%3Fc%3D1&d=%2B&e=+&flag'],
    ['shop://', '/a?b=c#d', 'shop://a?b=c#d'],
    ['shop://', '/상품?q=빨간 색', 'shop://%EC%83%81%ED%92%88?q=%EB%B9%A8%EA%B0%84%20%EC%83%89'],
    ['shop://', '/a"><script>', 'shop://a%22%3E%3Cscript%3E'],
    ['shop://', '/a\u0000b\ud800\u202ec\n', 'shop://ab%EF%BF%BD%E2%80%AEc%0A'],
  ])('%s with %j is %s', (scheme, path, expected) => {
    expect(deepLinkUrl(scheme, path)).toBe(expected);
  });

  it.each([
    '',
    null,
    'shop',
    'shop:',
    'shop:/',
    'shop:///',
    '://',
    'javascript://',
    'JavaScript://',
    'java script://',
    'java\tscript://',
    '\u0000javascript://',
    'data://',
    'intent://',
    'https://',
    'http://',
    'file:///',
    'view-source://',
    '1shop://',
    'shop://x',
    'shop"://',
    'sh\u202eop://',
    `${'x'.repeat(96)}://`,
  ])('%j is not an app scheme', (scheme) => {
    expect(deepLinkUrl(scheme, '/a')).toBeNull();
  });
});
