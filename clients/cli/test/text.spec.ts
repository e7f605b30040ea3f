import { bars, fit, sparkline, widthOf } from '../src/text';

describe('texts of the terminal', () => {
  const items = [
    { label: '2026-11-19', value: 1_234 },
    { label: 'a name that is longer than any terminal is wide, or nearly so', value: 3 },
    { label: '서울 봄 세일 캠페인', value: 600 },
    { label: '', value: 0 },
  ];

  it.each([20, 33, 60, 80, 200])('bars fit %d columns, and the largest fills them', (columns) => {
    const widths = bars(items, columns).map(widthOf);
    expect(Math.max(...widths)).toBe(columns);
  });

  it('bars are in proportion, and more than nothing shows', () => {
    const lengths = bars(items, 80).map((line) => line.replace(/[^█▏▎▍▌▋▊▉]/g, '').length);
    expect(lengths[2]).toBe(Math.ceil(((lengths[0] ?? 0) * 600) / 1_234));
    expect(lengths.slice(1)).toEqual([1, lengths[2], 0]);
    expect(bars([], 80)).toEqual([]);
  });

  it('a sparkline shows every value, or sums of neighbours', () => {
    expect(sparkline([0, 1, 4, 8], 80)).toBe(' ▁▄█');
    expect(sparkline([1, 1, 2, 2, 4, 4], 3)).toBe('▂▄█');
    for (const columns of [1, 7, 80])
      expect(sparkline(Array(366).fill(1), columns).length).toBeLessThanOrEqual(columns);
  });

  it('texts are cut by their width', () => {
    expect(fit('캠페인', 6)).toBe('캠페인');
    expect(fit('캠페인', 5)).toBe('캠페…');
    expect(fit('👩‍👩‍👧 family', 4)).toBe('👩‍👩‍👧 …');
  });
});
