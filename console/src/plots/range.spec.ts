import {
  comparedDays,
  dayIn,
  daysBetween,
  daysOf,
  intervalOf,
  intervalsOf,
  isRunning,
  lengthOf,
  MAX_DAYS,
  plusDays,
  within,
} from './range';

const NO_CUSTOM = { from: '', to: '' };
/** The day after a leap day. */
const TODAY = '2028-03-01';

describe('ranges of days', () => {
  it.each([
    ['2028-02-28', 1, '2028-02-29'],
    ['2028-02-28', 2, '2028-03-01'],
    ['2027-02-28', 1, '2027-03-01'],
    ['2028-01-01', -1, '2027-12-31'],
    // Daylight saving time starts and ends: the days have 23 and 25 hours.
    ['2026-03-28', 2, '2026-03-30'],
    ['2026-10-24', 2, '2026-10-26'],
    ['no day', 1, ''],
  ])('%s and %i days are %s', (day, days, expected) => expect(plusDays(day, days)).toBe(expected));

  it.each([
    ['24h', '2028-02-29', 2],
    ['7d', '2028-02-24', 7],
    ['30d', '2028-02-01', 30],
    ['90d', '2027-12-03', 90],
    ['12m', '2027-03-03', 365],
    ['constructor', '2028-02-01', 30],
    ['', '2028-02-01', 30],
  ])('%s begins on %s and ends today', (range, from, length) => {
    const days = daysOf(range, NO_CUSTOM, TODAY);
    expect(days).toEqual({ from, to: TODAY });
    expect(lengthOf(days)).toBe(length);
  });

  // 1 March 2028 is a Wednesday.
  it.each([
    ['today', TODAY, '2028-03-01', '2028-03-01'],
    ['yesterday', TODAY, '2028-02-29', '2028-02-29'],
    ['thisWeek', TODAY, '2028-02-28', '2028-03-01'],
    ['lastWeek', TODAY, '2028-02-21', '2028-02-27'],
    ['thisMonth', TODAY, '2028-03-01', '2028-03-01'],
    ['lastMonth', TODAY, '2028-02-01', '2028-02-29'],
    ['thisWeek', '2028-02-28', '2028-02-28', '2028-02-28'],
    ['thisWeek', '2028-03-05', '2028-02-28', '2028-03-05'],
    ['lastWeek', '2028-01-03', '2027-12-27', '2028-01-02'],
    ['lastMonth', '2028-01-31', '2027-12-01', '2027-12-31'],
  ])('%s on %s is from %s to %s', (range, today, from, to) =>
    expect(daysOf(range, NO_CUSTOM, today)).toEqual({ from, to }),
  );

  it.each([
    ['today', '2028-02-23', '2028-02-23'],
    ['thisWeek', '2028-02-21', '2028-02-23'],
    ['lastWeek', '2028-02-14', '2028-02-20'],
    ['30d', '2027-12-28', '2028-01-26'],
    ['lastMonth', '2027-12-28', '2028-01-25'],
  ])('%s is compared with the same weekdays, from %s to %s', (range, from, to) =>
    expect(comparedDays(daysOf(range, NO_CUSTOM, TODAY), 'weekdays')).toEqual({ from, to }),
  );

  it.each([
    ['2028-02-29T14:00:00Z', 'hour', false],
    ['2028-02-29T15:00:00Z', 'hour', true],
    ['2028-02-29T16:00:00Z', 'hour', false],
    ['2028-02-29', 'day', false],
    ['2028-03-01', 'day', true],
    ['2028-03-02', 'day', false],
    ['2028-02-21', 'week', false],
    ['2028-02-28', 'week', true],
    ['2028-02-01', 'month', false],
    ['2028-03-01', 'month', true],
  ] as const)('the period from %s by %s is not over half past midnight in Seoul: %s', (start, by, expected) =>
    expect(isRunning(start, by, 'Asia/Seoul', new Date('2028-02-29T15:30:00Z'))).toBe(expected),
  );

  it.each([
    [{ from: '2028-02-29', to: '2028-02-29' }, true],
    [{ from: '2027-02-29', to: '2027-03-01' }, false],
    [{ from: '2028-03-01', to: '2028-02-29' }, false],
    [{ from: '2027-03-01', to: '2028-02-29' }, true],
    [{ from: '2027-03-01', to: '2028-03-01' }, false],
    [{ from: '2028-2-1', to: '2028-03-01' }, false],
    [{ from: '', to: '2028-03-01' }, false],
  ])('takes the custom range %j: %s', (custom, taken) =>
    expect(daysOf('custom', custom, TODAY)).toEqual(taken ? custom : { from: '2028-02-01', to: TODAY }),
  );

  it.each([
    ['2026-03-28T22:59:59Z', 'Europe/Berlin', '2026-03-28'],
    ['2026-03-28T23:00:00Z', 'Europe/Berlin', '2026-03-29'],
    // An hour earlier, because the previous day had 23 hours.
    ['2026-03-29T22:00:00Z', 'Europe/Berlin', '2026-03-30'],
    ['2026-10-25T22:59:59Z', 'Europe/Berlin', '2026-10-25'],
    ['2026-10-25T23:00:00Z', 'Europe/Berlin', '2026-10-26'],
    ['2026-12-31T15:00:00Z', 'Asia/Seoul', '2027-01-01'],
    ['2028-02-29T09:59:59Z', 'Pacific/Kiritimati', '2028-02-29'],
    ['2028-02-29T10:00:00Z', 'Pacific/Kiritimati', '2028-03-01'],
    ['2028-03-01T07:59:59Z', 'America/Los_Angeles', '2028-02-29'],
  ])('%s is in %s on %s', (time, zone, day) => expect(dayIn(zone, new Date(time))).toBe(day));

  it('compares with as many days that end the day before, or with the same weekdays of the year before', () => {
    const days = { from: '2028-02-15', to: '2028-03-15' };
    expect(comparedDays(days, 'previous')).toEqual({ from: '2028-01-16', to: '2028-02-14' });
    const year = comparedDays(days, 'year') ?? NO_CUSTOM;
    expect(lengthOf(year)).toBe(lengthOf(days));
    expect(new Date(year.from).getUTCDay()).toBe(new Date(days.from).getUTCDay());
    expect(year).toEqual({ from: '2027-02-16', to: '2027-03-17' });
    expect(comparedDays(days, 'none')).toBeNull();
    expect(comparedDays(days, 'toString')).toBeNull();
  });

  it.each([
    [1, ['hour'], 'hour'],
    [2, ['hour', 'day'], 'hour'],
    [7, ['hour', 'day'], 'day'],
    [31, ['hour', 'day', 'week'], 'day'],
    [32, ['day', 'week', 'month'], 'day'],
    [120, ['day', 'week', 'month'], 'day'],
    [121, ['day', 'week', 'month'], 'week'],
  ])('of %i days have the intervals %j, at first %s', (length, intervals, first) => {
    const days = { from: plusDays(TODAY, 1 - length), to: TODAY };
    expect(intervalsOf(days)).toEqual(intervals);
    expect(intervalOf(days, '')).toBe(first);
    expect(intervalOf(days, 'minute')).toBe(first);
    for (const each of intervals) expect(intervalOf(days, each)).toBe(each);
  });

  it.each([
    ['2026-10-25T00:00:00+02:00', '2026-10-25T23:00:00+01:00', 'hour', '2026-10-25', '2026-10-25'],
    ['2026-10-25T02:00:00+02:00', '2026-10-26T00:00:00+01:00', 'hour', '2026-10-25', '2026-10-26'],
    ['2026-03-28', '2026-03-30', 'day', '2026-03-28', '2026-03-30'],
    ['2028-02-21', '2028-02-28', 'week', '2028-02-21', '2028-03-05'],
    ['2028-01-01', '2028-02-01', 'month', '2028-01-01', '2028-02-29'],
    ['2026-11-01', '2026-12-01', 'month', '2026-11-01', '2026-12-31'],
  ] as const)('from %s to %s by %s are the days %s to %s', (first, last, interval, from, to) =>
    expect(daysBetween(first, last, interval, 'Europe/Berlin')).toEqual({ from, to }),
  );

  it('of all weeks or months of a range are that range, and no longer one', () => {
    const range = daysOf('12m', NO_CUSTOM, TODAY);
    for (const [first, last, interval] of [
      ['2027-03-01', '2028-02-28', 'week'],
      ['2027-03-01', '2028-03-01', 'month'],
    ] as const) {
      const whole = daysBetween(first, last, interval, 'UTC');
      expect(lengthOf(whole)).toBeGreaterThan(MAX_DAYS);
      expect(within(whole, range)).toEqual(range);
    }
    const part = { from: '2027-05-01', to: '2027-05-31' };
    expect(within(part, range)).toEqual(part);
  });
});
