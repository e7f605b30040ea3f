import { entriesOf, keyOf, literalOf, readFilters, toggled, writeFilters } from './filters';

describe('filters of statistics', () => {
  it.each(['KR', '!KR', '\\KR', '\\!', 'a&country=DE', 'a=b', '한국 & <b>', '%41', '+', `'"`])(
    'keep %j through the address',
    (key) => {
      const filters = toggled({}, 'referrer', literalOf(key)) ?? {};
      const read = readFilters(writeFilters(filters));
      expect(read).toEqual(filters);
      expect(entriesOf(read).map(([, value]) => keyOf(value))).toEqual([key]);
    },
  );

  it('leave out what is no dimension, empty or there twice', () =>
    expect(readFilters('country=KR&country=KR&country=&__proto__=x&constructor=y&device=Mobile')).toEqual({
      country: ['KR'],
      device: ['Mobile'],
    }));

  it('add a value, remove it, and take no twenty-first', () => {
    const once = toggled({ country: ['KR'] }, 'country', 'DE') ?? {};
    expect(once).toEqual({ country: ['KR', 'DE'] });
    expect(toggled(once, 'country', 'KR')).toEqual({ country: ['DE'] });
    expect(writeFilters(toggled({ country: ['KR'] }, 'country', 'KR') ?? {})).toBe('');
    const full = { country: Array.from({ length: 20 }, (_, index) => `c${index}`) };
    expect(toggled(full, 'country', 'c20')).toBeNull();
    expect(toggled(full, 'country', 'c7')?.country).toHaveLength(19);
    expect(toggled(full, 'device', 'Mobile')).toEqual({ ...full, device: ['Mobile'] });
    const given = [...full.country, 'c20'].map((value) => `country=${value}`).join('&');
    expect(readFilters(given).country).toHaveLength(21);
  });
});
