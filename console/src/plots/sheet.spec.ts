import { csvOf } from './sheet';

describe('CSV of a plot', () => {
  const cellOf = (value: string | number | null) =>
    csvOf({ columns: ['x'], rows: [[value]] }).slice('\uFEFFx\r\n'.length, -'\r\n'.length);

  it('has a byte order mark, a row for each line, and lines that end as RFC 4180 says', () =>
    expect(
      csvOf({
        columns: ['Name', 'Clicks'],
        rows: [
          ['서울', 12],
          [null, null],
        ],
      }),
    ).toBe('\uFEFFName,Clicks\r\n서울,12\r\n,\r\n'));

  it.each([
    ['=1+1', `'=1+1`],
    ['+82 10', `'+82 10`],
    ['-1', `'-1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['  =1', `'  =1`],
    ['\u00a0=1', `'\u00a0=1`],
    ['\t=1', `"'\t'=1"`],
    ['\r=1', `"'\r'=1"`],
    ['\n=1', `"'\n'=1"`],
    ['\ttab', `"'\ttab"`],
    ['＝1', `'＝1`],
    ['a;=1+1', `"a;'=1+1"`],
    ['a\t@x', `"a\t'@x"`],
    ['=HYPERLINK("https://x.test","y")', `"'=HYPERLINK(""https://x.test"",""y"")"`],
    ['=a,b', `"'=a,b"`],
  ])('writes %j as a text that no spreadsheet runs', (value, expected) =>
    expect(cellOf(value)).toBe(expected),
  );

  it.each([
    ['a=b', 'a=b'],
    ['a,b', '"a,b"'],
    ['"', '""""'],
    ['a\nb', '"a\nb"'],
    [-1, '-1'],
    [0, '0'],
    [null, ''],
    ['', ''],
  ])('leaves %j as it is', (value, expected) => expect(cellOf(value)).toBe(expected));

  it('guards columns too', () => expect(csvOf({ columns: ['=1', 'a'], rows: [] })).toBe(`\uFEFF'=1,a\r\n`));
});
