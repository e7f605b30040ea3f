import { pageBrand } from './brand';
import { contrast } from './contrast';

const CARDS = { light: '#ffffff', dark: '#1a1f24' };

describe('the brand of a page', () => {
  it('measures contrast as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrast('#FFFFFF', '#ffffff')).toBe(1);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
    expect(contrast('#ff0000', '#0000ff')).toBeCloseTo(2.15, 2);
  });

  it('keeps text on any colour readable, and what is drawn in it visible', () => {
    const steps = ['00', '33', '66', '99', 'cc', 'ff'];
    const colors = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));
    for (const color of colors) {
      const { accents } = pageBrand({ name: 'Acme', logoUrl: null, color });
      for (const scheme of ['light', 'dark'] as const) {
        const accent = accents?.[scheme];
        expect(accent?.fill).toBe(color);
        expect(contrast(accent?.on ?? color, color)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(accent?.mark ?? color, CARDS[scheme])).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it.each(['red', '#fff', '#ffffff;', '#fffff}', '#1234567', '</style>', ''])(
    'shows no colour %j',
    (color) => {
      expect(pageBrand({ name: 'Acme', logoUrl: null, color }).accents).toBeNull();
    },
  );

  it.each(['http://cdn.example.com/a.png', 'javascript:alert(1)', "https://a.example;script-src 'x'/", 'x'])(
    'shows no logo %j',
    (logoUrl) => {
      expect(pageBrand({ name: 'Acme', logoUrl, color: null }).logo).toBeNull();
    },
  );

  it('removes characters from a name that reverse or hide text', () => {
    expect(pageBrand({ name: 'A\u202ecme\u200b', logoUrl: null, color: null }).name).toBe('A cme');
    expect(pageBrand({ name: '\u200b', logoUrl: null, color: null }).name).toBeNull();
  });
});
