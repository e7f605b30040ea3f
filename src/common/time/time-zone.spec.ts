import { timeZoneName } from './time-zone';

describe('the name of a time zone', () => {
  it.each([
    ['asia/seoul', 'Asia/Seoul'],
    ['AMERICA/NEW_YORK', 'America/New_York'],
    ['Asia/Seoul', 'Asia/Seoul'],
    ['ROK', 'Asia/Seoul'],
    ['us/eastern', 'America/New_York'],
    ['utc', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['etc/gmt+9', 'Etc/GMT+9'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['asia/calcutta', 'Asia/Kolkata'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
  ])('%s is %s', (text, name) => {
    expect(timeZoneName(text)).toBe(name);
  });

  it.each(['', 'Mars/Olympus', '+09:00', 'SystemV/EST5EDT', ' Asia/Seoul', 'Asia/Seoul\u200b'])(
    'is unknown: %j',
    (text) => {
      expect(timeZoneName(text)).toBeNull();
    },
  );

  it('stays as it is once canonical', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const name = timeZoneName(zone);
      expect(timeZoneName(name ?? '')).toBe(name);
    }
  });
});
