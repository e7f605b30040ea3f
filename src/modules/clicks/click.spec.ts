import { assert, option, property, record, string } from 'fast-check';
import { decodeClick, encodeClick } from './click';

const CLICK = decodeClick('[7,1795000000000,1,5,1,"203.0.113.7","Mozilla/5.0 (X11)",null]');

describe('encodeClick', () => {
  it.each([
    ['nothing to escape', ''],
    ['a quotation mark', 'a "b" c'],
    ['a backslash', 'a\\b'],
    ['line breaks', 'a\r\nb\u2028c'],
    ['a NUL', '\0'],
    ['half a character', '\ud800'],
    ['letters beyond ASCII', 'zwölf 셋 🙂'],
  ])('writes the same JSON as JSON.stringify for %s', (_, userAgent) => {
    const line = encodeClick({ ...CLICK, userAgent, referrer: userAgent });
    expect(line).toBe(JSON.stringify([7, 1_795_000_000_000, 1, 5, 1, '203.0.113.7', userAgent, userAgent]));
  });

  it('writes rare fields last', () => {
    const utm = ['mail', null, null, null, 'spring'] as const;
    const click = { ...CLICK, utm, variant: 'https://a.example.com/"' };
    const fields = JSON.parse(encodeClick(click)) as unknown[];
    expect(fields.slice(8)).toEqual([null, utm, null, null, null, null, null, null, click.variant]);
    expect(decodeClick(encodeClick(click))).toEqual(click);
  });

  it('writes no line break, and decodeClick restores every value', () => {
    const text = string({ unit: 'binary', maxLength: 20 });
    const values = record({
      ip: text,
      userAgent: text,
      referrer: option(text),
      tracker: option(text),
      customId: option(text),
    });
    assert(
      property(values, (of) => {
        const click = { ...CLICK, ...of };
        const line = encodeClick(click);
        expect(line).not.toContain('\n');
        expect(decodeClick(line)).toEqual(click);
      }),
    );
  });
});
