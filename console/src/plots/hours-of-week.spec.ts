import { hoursOfWeek } from './hours-of-week';

describe('hours of the week', () => {
  const at = (start: string, value = 1) => ({ start, value });

  it('are those of the time zone, with the hour that a change of clocks repeats', () => {
    const sums = hoursOfWeek(
      [
        // Sundays in Berlin: 2:00 occurs twice in October, and not at all in March.
        at('2026-10-25T00:00:00Z'),
        at('2026-10-25T01:00:00Z'),
        at('2026-10-25T02:00:00Z'),
        at('2026-03-29T00:00:00Z', 10),
        at('2026-03-29T01:00:00Z', 10),
        // Monday.
        at('2026-10-25T23:00:00Z', 5),
      ],
      'Europe/Berlin',
    );
    expect(sums).toHaveLength(7);
    expect(sums[6]?.slice(0, 5)).toEqual([0, 10, 2, 11, 0]);
    expect(sums[0]?.[0]).toBe(5);
    expect(sums.flat().reduce((all, value) => all + value)).toBe(28);
  });

  it('are whole hours of zones with half ones', () =>
    expect(hoursOfWeek([at('2026-11-22T18:30:00Z', 3)], 'Asia/Kolkata')[0]?.[0]).toBe(3));
});
