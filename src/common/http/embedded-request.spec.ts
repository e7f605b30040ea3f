import { isEmbedded } from './embedded-request';

const request = (site?: string, mode?: string, dest?: string, other: object = {}) => ({
  ...(site !== undefined && { 'sec-fetch-site': site }),
  ...(mode !== undefined && { 'sec-fetch-mode': mode }),
  ...(dest !== undefined && { 'sec-fetch-dest': dest }),
  ...other,
});

describe('A request is embedded in the page of another site', () => {
  it.each([
    ['a picture', request('cross-site', 'no-cors', 'image')],
    ['a picture of a neighbouring host', request('same-site', 'no-cors', 'image')],
    ['a script', request('cross-site', 'no-cors', 'script')],
    ['a frame', request('cross-site', 'navigate', 'iframe')],
    ['an object', request('cross-site', 'navigate', 'object')],
    ['a call of a script', request('cross-site', 'cors', 'empty')],
    [
      'a page in advance',
      request('cross-site', 'navigate', 'document', { 'sec-purpose': 'prefetch;prerender' }),
    ],
    ['nothing but another site', request('cross-site')],
    ['a header sent twice', request('cross-site, same-origin')],
    ['a picture without its site', request(undefined, undefined, 'image')],
    ['a picture of an old browser', { accept: 'image/avif,image/webp,*/*' }],
  ])('as %s', (_name, headers) => {
    expect(isEmbedded(headers)).toBe(true);
  });

  it.each([
    ['a link of another site', request('cross-site', 'navigate', 'document', { 'sec-fetch-user': '?1' })],
    ['a link of a neighbouring host', request('same-site', 'navigate', 'document')],
    ['a link, told by its mode', request('cross-site', 'navigate')],
    ['an address typed', request('none', 'navigate', 'document')],
    ['a call of its own page', request('same-origin', 'cors', 'empty')],
    ['a picture of its own page', request('same-origin', 'no-cors', 'image')],
    ['an old browser', { accept: 'text/html,image/webp,*/*' }],
    ['a program', {}],
  ])('but not %s', (_name, headers) => {
    expect(isEmbedded(headers)).toBe(false);
  });
});
