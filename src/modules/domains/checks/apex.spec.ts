import { isApex } from './apex';

describe('An apex domain', () => {
  it.each(['brand.com', 'brand.kr', 'brand.co.kr', 'brand.com.au', 'brand.or.kr', 'xn--3e0b707e.kr'])(
    'is %s',
    (name) => {
      expect(isApex(name)).toBe(true);
    },
  );
  it.each(['links.brand.com', 'links.brand.co.kr', 'www.brand.kr', 'a.b.brand.com'])('is not %s', (name) => {
    expect(isApex(name)).toBe(false);
  });
});
