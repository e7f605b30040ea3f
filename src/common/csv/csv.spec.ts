import { type CsvRow, MalformedCsv } from './csv-reader';
import { rowsOfJson } from './json-rows';
import { readList, writeList } from './lists';
import { isFullBatch, readCsv, SourceBroken } from './read-csv';
import { folded, meaningsOf, Table } from './table';
import { guarded, guardedStart, withoutGuard, withoutStartGuard, writeCsv } from './write-csv';

async function read(bytes: Buffer, size = bytes.length || 1): Promise<[CsvRow[], MalformedCsv | null]> {
  async function* chunks() {
    for (let i = 0; i < bytes.length; i += size) {
      await Promise.resolve();
      yield bytes.subarray(i, i + size);
    }
  }
  const rows: CsvRow[] = [];
  try {
    for await (const row of readCsv(chunks())) rows.push(row);
    return [rows, null];
  } catch (error) {
    if (error instanceof MalformedCsv) return [rows, error];
    throw error;
  }
}

const brief = (rows: CsvRow[]) => rows.map(({ line, cells }) => [line, ...cells]);

describe('CSV', () => {
  it.each([1, 2, 3, 7, 1000])(
    'is read in chunks of %d bytes, with the lines that rows start at',
    async (size) => {
      const text = '\ufeffa,b\r\n1,한\r\n\r\n"x\r\ny\nz",3\r\n,\n"4 ""q""",\'5\n6\r7,8,9\r\n\n\n"",x';
      const [rows, error] = await read(Buffer.from(text), size);
      expect(error).toBeNull();
      expect(brief(rows)).toEqual([
        [1, 'a', 'b'],
        [2, '1', '한'],
        [4, 'x\r\ny\nz', '3'],
        [8, '4 "q"', "'5"],
        [9, '6'],
        [10, '7', '8', '9'],
        [13, '', 'x'],
      ]);
    },
  );

  it.each([
    [
      'a,b;c\n1,2;3\n',
      [
        [1, 'a', 'b;c'],
        [2, '1', '2;3'],
      ],
    ],
    [
      'a;b,c\n1;2,3\n',
      [
        [1, 'a', 'b,c'],
        [2, '1', '2,3'],
      ],
    ],
    [
      '\ufeff\n"a,""x;y"\t"b"\n1\t2,3;4\n',
      [
        [2, 'a,"x;y', 'b'],
        [3, '1', '2,3;4'],
      ],
    ],
    [
      'sep=;\r\na;b\r\n1;2,3\r\n',
      [
        [2, 'a', 'b'],
        [3, '1', '2,3'],
      ],
    ],
    ['"SEP=\t"\na\tb;c\n', [[2, 'a', 'b;c']]],
    ['\r\n\nsep=;\r\n\na;b,c\r\n', [[5, 'a', 'b,c']]],
    ['sep=,\ra,b;c', [[2, 'a', 'b;c']]],
    [
      'a\n1;2\n',
      [
        [1, 'a'],
        [2, '1;2'],
      ],
    ],
    ['a;b', [[1, 'a', 'b']]],
    ['sep=;', []],
  ])('finds the separator of %j', async (text, expected) => {
    for (const size of [1, 2, 100]) {
      const [rows, error] = await read(Buffer.from(text), size);
      expect(error).toBeNull();
      expect(brief(rows)).toEqual(expected);
    }
  });

  it('searches only the start of an endless line for the separator', async () => {
    const [rows] = await read(Buffer.from(`${'a'.repeat(20_000)};b,c\n1;2,3\n`), 1000);
    expect(rows.map(({ cells }) => cells.length)).toEqual([2, 2]);
  });

  it('stops after the row limit, not counting the header and empty rows', async () => {
    const lines = async (text: string) => {
      const found: number[] = [];
      async function* source() {
        await Promise.resolve();
        yield Buffer.from(text);
      }
      try {
        for await (const { line } of readCsv(source(), { maxRows: 2 })) found.push(line);
      } catch (error) {
        if (!(error instanceof MalformedCsv)) throw error;
        return [found, error.line, error.problem];
      }
      return [found];
    };
    expect(await lines('a\n\n1\n2\n\n')).toEqual([[1, 3, 4]]);
    expect(await lines('a\n1\n2\n\n3\n4\n')).toEqual([[1, 2, 3], 5, 'exceeds the 2 rows allowed in a file']);
  });

  it('drops empty cells beyond the columns of the first row, and all beyond 1,000', async () => {
    const [rows] = await read(
      Buffer.from(`a,b\n1${','.repeat(200_000)}\n1,2,,x,\n${'x,'.repeat(2_000)}\n`),
      100_000,
    );
    expect(rows.map(({ cells }) => cells.length)).toEqual([2, 2, 4, 1_001]);
  });

  it.each([
    [`a${',b'.repeat(1_000)}\n1\n`, 1, 'has more than 1,000 columns'],
    [
      `a\n1\n${'\n'.repeat(100_001)}2\n`,
      100_003,
      'follows 100,000 empty lines, the most that a file may have',
    ],
  ])('ends where there are too many columns or empty lines', async (text, line, problem) => {
    expect(await read(Buffer.from(text), 65_536)).toMatchObject([expect.anything(), { line, problem }]);
  });

  it('fills a batch by rows or by characters', () => {
    const row = { line: 1, cells: ['x'], length: 300_000 };
    expect([3, 4].map((rows) => isFullBatch(Array(rows).fill(row), 500))).toEqual([false, true]);
    expect([499, 500].map((rows) => isFullBatch(Array(rows).fill({ ...row, length: 1 }), 500))).toEqual([
      false,
      true,
    ]);
  });

  it('is empty for an empty file', async () => {
    for (const text of ['', '\ufeff', '\r\n\n', ' '])
      expect(await read(Buffer.from(text))).toEqual([[], null]);
  });

  it.each([
    ['a\n1\n"2\n3\n', 3, 'has a quote that is never closed'],
    ['a\n1\n"2"x\n3\n', 3, 'has text after a closing quote'],
    ['a\n"1\r\n1"\r\n2"x\n3\n', 4, 'has a quote inside an unquoted field'],
  ])('names the line at which %j breaks, after all rows before it', async (text, line, problem) => {
    for (const size of [1, 100]) {
      const [rows, error] = await read(Buffer.from(text), size);
      expect([error?.line, error?.problem]).toEqual([line, problem]);
      expect(rows.at(-1)?.cells[0]?.charAt(0)).toBe('1');
    }
  });

  it('fails on endless rows and on invalid UTF-8', async () => {
    const endless = await read(Buffer.from(`a\n"${'x\n'.repeat(200_000)}`), 65_536);
    expect(brief(endless[0])).toEqual([[1, 'a']]);
    expect(endless[1]?.message).toMatch(/^line 2: is longer than 256 KiB/);
    const latin = await read(Buffer.from('a\nb\n\xfcber\n', 'latin1'), 2);
    expect(brief(latin[0])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect(latin[1]?.message).toBe('line 3: is not valid UTF-8');
    expect((await read(Buffer.from('a\n한').subarray(0, -1)))[1]?.line).toBe(2);
  });

  it('names UTF-16 by its byte order mark', async () => {
    const little = Buffer.from('\ufeffurl\thttps://shop.example.com/\r\n', 'utf16le');
    for (const file of [little, Buffer.from(little).swap16()]) {
      for (const size of [1, 100]) {
        const [rows, error] = await read(file, size);
        expect([rows, error?.message]).toEqual([[], 'line 1: is not valid UTF-8, but UTF-16']);
      }
    }
  });

  it('ends at the row in which its source breaks off', async () => {
    const rows: CsvRow[] = [];
    async function* source() {
      yield Buffer.from('a\n1\n2');
      await Promise.resolve();
      throw new SourceBroken();
    }
    const reading = (async () => {
      for await (const row of readCsv(source())) rows.push(row);
    })();
    await expect(reading).rejects.toMatchObject({ line: 3, code: 'BROKEN_OFF' });
    expect(brief(rows)).toEqual([
      [1, 'a'],
      [2, '1'],
    ]);
  });

  it('round-trips, with formulas escaped in between', async () => {
    const cells = [
      '',
      'a',
      '=1+1',
      "'=1",
      "''@x",
      '+1',
      '-1',
      '@x',
      '\tx',
      '\rx',
      '\nx',
      "'",
      "it's",
      'a,"b"\r\nc',
      '한',
      ' =1',
      "' =1",
      '＝1',
      '\t=1',
      "\t'=1",
      '\r\n=1',
      'a;=1',
      "a;'=1",
      ',-1',
      'a\t＠x',
    ];
    const text = writeCsv([cells.map((cell) => guarded(cell)), ['x', ...cells.slice(1).map(() => '')]]);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(text).toContain("'=1+1");
    expect(text).not.toMatch(/(^|[,;\t\r\n"])[=+@＝＋－＠-]/m);
    const [rows] = await read(Buffer.from(text));
    expect(rows[0]?.cells.map((cell) => withoutGuard(cell))).toEqual(cells);
  });

  it.each([
    ['a;=1+1', `"a;'=1+1"`],
    ['a\t=1', `"a\t'=1"`],
    ['a,@x', `"a,'@x"`],
    ['a\n-x', `"a\n'-x"`],
    ['＝1', `'＝1`],
    ['a; b', '"a; b"'],
    ['Sale, -10 %', '"Sale, -10 %"'],
    ['a; =1', `"a; '=1"`],
    ['a;"=1+1;b', `"a;""'=1+1;b"`],
    ['a\t"@x', `"a\t""'@x"`],
    ['a "=1"', '"a ""=1"""'],
  ])('quotes and guards %j after every separator', (text, expected) => {
    expect(writeCsv([[guarded(text)]])).toBe(`${expected}\r\n`);
    expect(withoutGuard(guarded(text))).toBe(text);
  });

  it('leaves an address as it is behind its start', () => {
    const address = `https://maps.example/@37.5,-122.4;=1?x=!(a,'-b')`;
    expect(guardedStart(address)).toBe(address);
    expect(withoutStartGuard(address)).toBe(address);
    expect([guardedStart('=x'), withoutStartGuard("'=x")]).toEqual(["'=x", '=x']);
  });

  it.each([
    ['a,b', ['a', 'b']],
    ['a; b', ['a', 'b']],
    ['a|b|', ['a', 'b']],
    ['a;b,c|d', ['a;b', 'c|d']],
    ['["x","y"]', ['x', 'y']],
    [' [1, "a,b"] ', ['1', 'a,b']],
    ['[]', []],
    ['"a|b",  "c ""d"""', ['a|b', 'c "d"']],
    ['a\r\nb', ['a', 'b']],
    ['19" rack', ['19" rack']],
    ['[x]', ['x']],
    ["['a', 'b']", ['a', 'b']],
    ['{a,"b, c"}', ['a', 'b, c']],
    ['{}', []],
    ['["a",]', ['a']],
    ['\u00a0["a","b"]', ['a', 'b']],
    ['[{"a":1}]', [{ a: 1 }]],
    ['["x",{"id":1,"name":"y"}]', ['x', 'y']],
  ])('reads %j as a list', (cell, items) => expect(readList(cell)).toEqual(items));

  it('writes lists that are read again', () => {
    for (const items of [['a|b'], ['[]'], ['["x"]'], ['null'], ['a;b', 'c'], ['"', 'a\nb', '=1'], ['x']])
      expect(readList(writeList(items))).toEqual(items);
  });

  describe('JSON', () => {
    const cells = (document: unknown) => [...rowsOfJson(document)].map((row) => row.cells);

    it('has the fields of its objects as columns, with those of inner objects', () => {
      const data = [
        { code: 'a', meta: { max: 3 }, tags: ['x', { name: 'y' }], title: null },
        { code: 'b', on: true },
      ];
      expect(cells({ errors: [], shortUrls: { data, pagination: { pages: 1 } } })).toEqual([
        ['code', 'meta.max', 'tags', 'on'],
        ['a', '3', '["x",{"name":"y"}]', ''],
        ['b', '', '', 'true'],
      ]);
      expect([...rowsOfJson(data)].map(({ line }) => line)).toEqual([0, 1, 2]);
    });

    it('must have a list of objects', () => {
      for (const document of [1, null, 'x', {}, { a: 1 }, [1], { a: { b: { c: { d: [{}] } } } }])
        expect(() => cells(document)).toThrow('is JSON without a list of objects');
      expect(() => cells({ links: [{}], domains: [{}] })).toThrow('is JSON with several lists of objects');
      expect(() => cells([Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}`, 1]))])).toThrow(
        'has more than 1,000 columns',
      );
    });
  });

  describe('tables', () => {
    const find = meaningsOf({
      id: { names: ['userId'] },
      phone: { names: ['mobile', 'tel'] },
      note: {},
    });
    const of = (...header: string[]) =>
      new Table(header, find, (field) => (field === 'note' ? { kind: 'free' } : undefined));
    const ofRecipients = (...header: string[]) => new Table(header, find, () => ({ perRow: true }));

    it('fold names', () => {
      const names = [
        'E-Mail',
        'e mail',
        'E_MAIL',
        'e.mail',
        ' Email ',
        'E\u2011mail',
        '\u200bemail',
        'Ｅmail',
        '[Email]',
        'Email:',
        'Email (Required)',
        'E-Mail #',
      ];
      expect(new Set(names.map(folded))).toEqual(new Set(['email']));
    });

    it('use the first name of a field, and name the other columns', () => {
      const table = of('Tel', 'User-ID', '', 'mobile', ' Colour ');
      expect(table.given(['1', '2', '3', '4', '5'])).toEqual([
        ['id', '2'],
        ['phone', '4'],
      ]);
      expect(table).toMatchObject({ ignored: ['Tel', 'Colour'], repeated: null });
      expect(table.values(['1', '2', '3'])).toEqual({ Tel: '1', 'User-ID': '2', mobile: '', Colour: '' });
      expect(of('Tel', 'tel').repeated).toBe('phone');
      expect(table.values(['1', '2', '3', '4', '5', '', '7'])).toMatchObject({ 'column 7': '7' });
    });

    it('read another column of recipients where the first is empty', () => {
      const table = ofRecipients('tel', 'phone', 'mobile');
      expect(table).toMatchObject({ ignored: ['tel', 'mobile'], repeated: null });
      expect(table.given(['1', '2', '3'])).toEqual([['phone', '2']]);
      expect(table.given(['1', '', '3'])).toEqual([['phone', '3']]);
      expect(table.given(['1', 'null', ' '])).toEqual([['phone', '1']]);
    });

    it('take the word null for nothing, except in free text alone', () => {
      const table = of('id', 'phone', 'note');
      expect(table.given(['null', ' NULL', 'x'])).toEqual([['note', 'x']]);
      expect(table.given(['1', 'undefined', 'null'])).toEqual([['id', '1']]);
      expect(table.given(['\\N', '#N/A', 'NaN'])).toEqual([]);
      expect(of('note', 'other').given(['null', 'null'])).toEqual([]);
      expect(table.given(['1', '', 'Null'])).toEqual([
        ['id', '1'],
        ['note', 'Null'],
      ]);
    });
  });
});
