import { resolveDayRange } from '../date-range';
import { parseDateTime } from './parse';

describe('date-times that the API takes', () => {
  it.each([
    ['2026-11-20', '2026-11-20T23:59:59.000Z'],
    ['2026-11-20 08:32', '2026-11-20T08:32:00.000Z'],
    ['2026-11-20 08:32:05', '2026-11-20T08:32:05.000Z'],
    ['2026-11-20T08:32:05Z', '2026-11-20T08:32:05.000Z'],
    ['2026-11-20T08:32:05.250Z', '2026-11-20T08:32:05.250Z'],
    ['2028-02-29T08:32:05Z', '2028-02-29T08:32:05.000Z'],
    ['2026-11-20T08:32:05+09:00', '2026-11-19T23:32:05.000Z'],
    ['2026-11-20T08:32:05.250-0330', '2026-11-20T12:02:05.250Z'],
    ['2026-11-20T08:32+05', '2026-11-20T03:32:00.000Z'],
    ['2026-11-20T08:32', '2026-11-20T08:32:00.000Z'],
    ['2028-02-29', '2028-02-29T23:59:59.000Z'],
  ])('%s', (text, expected) => {
    expect(parseDateTime(text)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    '2026-02-29',
    '2026-02-29T08:32:05Z',
    '2026-04-31T08:32:05.000Z',
    '2026-11-20T24:00:01Z',
    '2026-11-20T23:59:60Z',
    '1969-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '2026-13-01',
    '20.11.2026',
    '2026-11-20 25:00',
    '1969-12-31',
    'tomorrow',
    '2026-11',
    '2026-11-20T08:32:05+25:00',
    '2026-11-20T08:32-24:30',
    '2026-11-20T08:32:05+14:60',
    '0',
  ])('not %s', (text) => {
    expect(parseDateTime(text)).toBeNull();
  });
});

describe('the range of a statistics query', () => {
  const context = { now: new Date('2026-11-20T15:00:00Z'), retentionDays: 400 };
  const range = (startDate?: string, endDate?: string, more: object = {}) => {
    const { days, ...resolved } = resolveDayRange({ startDate, endDate }, { ...context, ...more });
    return { ...resolved, days: days.length };
  };

  it('is the last 30 days, today included, when no date is given', () => {
    expect(range()).toEqual({
      startDate: '2026-10-22',
      endDate: '2026-11-20',
      from: new Date('2026-10-22T00:00:00Z'),
      to: new Date('2026-11-21T00:00:00Z'),
      days: 30,
    });
  });

  it('puts the other date 29 days from a single one', () => {
    expect(range('2026-10-01')).toMatchObject({ startDate: '2026-10-01', endDate: '2026-10-30', days: 30 });
    expect(range(undefined, '2026-10-30')).toMatchObject({
      startDate: '2026-10-01',
      endDate: '2026-10-30',
      days: 30,
    });
  });

  it('accepts 366 days but not more, and no start after the end', () => {
    expect(range('2025-11-20', '2026-11-20').days).toBe(366);
    expect(() => range('2025-11-19', '2026-11-20')).toThrow('at most 365 days before endDate');
    expect(() => range('2026-11-20', '2026-11-19')).toThrow('startDate must not be after endDate');
  });

  it('is clamped to the retention', () => {
    expect(range('2026-08-01', '2026-10-01', { retentionDays: 90 })).toMatchObject({
      startDate: '2026-08-23',
      endDate: '2026-10-01',
    });
  });

  it('is empty if it is entirely older than the retention', () => {
    const nothing = { startDate: '2026-08-23', endDate: '2026-08-22', days: 0 };
    const old = range('2026-01-01', '2026-02-01', { retentionDays: 90 });
    expect(old).toMatchObject(nothing);
    expect(old.from).toEqual(old.to);
    expect(range('2026-08-01', '2026-08-22', { retentionDays: 90 })).toMatchObject(nothing);
    expect(range(undefined, '2026-08-22', { retentionDays: 90 })).toMatchObject(nothing);
    expect(range('2026-08-22', '2026-08-23', { retentionDays: 90 })).toMatchObject({
      startDate: '2026-08-23',
      endDate: '2026-08-23',
      days: 1,
    });
  });

  it('ends today at the latest if only startDate is given', () => {
    expect(range('2026-11-01')).toMatchObject({ startDate: '2026-11-01', endDate: '2026-11-20', days: 20 });
    expect(range('2026-11-20')).toMatchObject({ startDate: '2026-11-20', endDate: '2026-11-20', days: 1 });
    expect(() => range('2026-11-21')).toThrow('startDate must not be after today');
    expect(range('2026-11-21', '2026-11-22').days).toBe(2);
    expect(range('2026-10-22')).toMatchObject({ endDate: '2026-11-20', days: 30 });
    // In Kathmandu it is already the next day.
    const zoned = { timeZone: 'Asia/Kathmandu', now: new Date('2026-11-20T18:30:00Z') };
    expect(range('2026-11-10', undefined, zoned)).toMatchObject({ endDate: '2026-11-21' });
  });

  it('contains days of 23 and 25 hours in zones with daylight saving time', () => {
    const { from, to } = range('2026-03-29', '2026-03-29', { timeZone: 'Europe/Berlin' });
    expect((to.getTime() - from.getTime()) / 3_600_000).toBe(23);
    const autumn = range('2026-10-25', '2026-10-25', { timeZone: 'Europe/Berlin' });
    expect((autumn.to.getTime() - autumn.from.getTime()) / 3_600_000).toBe(25);
  });

  it('contains every day in a zone where one starts at one o’clock', () => {
    const timeZone = 'Asia/Beirut';
    const first = range('2030-03-31', '2030-04-02', { timeZone });
    expect(first).toMatchObject({ startDate: '2030-03-31', endDate: '2030-04-02', days: 3 });
    expect([first.from, first.to]).toEqual([
      new Date('2030-03-30T22:00:00Z'),
      new Date('2030-04-02T21:00:00Z'),
    ]);
    const last = range('2030-03-31', '2030-03-31', { timeZone });
    expect([last.from, last.to]).toEqual([
      new Date('2030-03-30T22:00:00Z'),
      new Date('2030-03-31T21:00:00Z'),
    ]);
    expect(range('2030-03-31', '2031-03-31', { timeZone }).days).toBe(366);
    expect(() => range('2030-03-31', '2031-04-01', { timeZone })).toThrow('at most 365 days before endDate');
  });
});
