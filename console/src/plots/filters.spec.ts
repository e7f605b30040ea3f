import { entriesOf, keyOf, literalOf, readFilters, toggled, writeFilters } from './filters';

describe('filters of statistics', () => {
  it.each(['KR', '!KR', '\\KR', '\\!', 'a&country=DE', 'a=b', '한국 & <b>', '%41', '+', `'"`])(
    'keep %j through the address',
    (key) => {
      const filters = toggled({}, 'referrer', literalOf(key));
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

  it('add a value, remove it, and keep the twenty newest', () => {
    const once = toggled({ country: ['KR'] }, 'country', 'DE');
    expect(once).toEqual({ country: ['KR', 'DE'] });
    expect(toggled(once, 'country', 'KR')).toEqual({ country: ['DE'] });
    expect(writeFilters(toggled({ country: ['KR'] }, 'country', 'KR'))).toBe('');
    const many = Array.from({ length: 25 }, (_, index) => `c${index}`).reduce(
      (filters, value) => toggled(filters, 'country', value),
      {},
    );
    expect(readFilters(writeFilters(many)).country).toEqual(
      Array.from({ length: 20 }, (_, index) => `c${index + 5}`),
    );
  });
});
