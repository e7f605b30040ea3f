import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { pick, type Random, type Weighted } from './random';

/** A row by field; lists may be written in any supported notation. */
export type Row = Readonly<Record<string, string | readonly string[]>>;

/** A kind of table, with its variants. */
export interface TableKind {
  /** Spellings of column names, by field. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** The free-text field, which may contain "null" literally if the row does not use it for empty values. */
  readonly free: string;
  row(random: Random, n: number): Row;
}

/** A table as a file. */
export interface DressedTable {
  readonly rows: readonly Row[];
  /** Columns of the file that are ignored. */
  readonly ignored: readonly string[];
  readonly bytes: Buffer;
  /** The request body. */
  readonly sent: Buffer;
  readonly gzipped: boolean;
  /** The readable part of the body. */
  readonly readable: Buffer;
  readonly cut: 'no' | 'text' | 'gzip';
  readonly dress: string;
}

const SEPARATORS: Weighted<string> = [
  [3, ','],
  [3, ';'],
  [2, '\t'],
];
const BREAKS: Weighted<string> = [
  [2, '\n'],
  [2, '\r\n'],
  [2, '\r'],
];
const ROWS: Weighted<[number, number]> = [
  [3, [1, 3]],
  [12, [4, 60]],
  [2, [490, 520]],
  [1, [500, 1_300]],
  [0.3, [2_000, 3_000]],
];
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replaceAll(/(?<=[a-z])([A-Z])/g, ' $1'),
  (name) => name.replaceAll(/(?<=[a-z])([A-Z])/g, '_$1').toLowerCase(),
  (name) => ` ${name.replaceAll(/(?<=[a-z])([A-Z])/g, '-$1')} `,
  (name) => `[${name}]`,
  (name) => `${name} (required):`,
];
const LISTS: Weighted<(items: readonly string[]) => string> = [
  [2, (items) => items.join(',')],
  [1, (items) => items.join('; ')],
  [1, (items) => items.join('|')],
  [2, (items) => JSON.stringify(items)],
  [1, (items) => `['${items.join("', '")}']`],
  [1, (items) => `{${items.join(',')}}`],
];

const NOTHING = ['null', 'NULL', 'undefined', '\\N', 'NaN', '#N/A'];

export function dressed(random: Random, kind: TableKind): DressedTable {
  const chance = (part: number) => random() < part;
  const one = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const [least, most] = pick(random, ROWS);
  const rows = Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, (_, n) =>
    kind.row(random, n),
  );
  const extra = chance(0.4) ? ['Notes', 'Colour; hue'] : [];
  const fields = shuffled(random, [...Object.keys(kind.columns), ...extra]);
  const header = fields.map((field) => {
    const names = kind.columns[field];
    return names ? one(SPELLINGS)(one(names)) : field;
  });
  const separator = pick(random, SEPARATORS);
  const lineEnd = pick(random, BREAKS);
  const quotesAll = chance(0.2);
  const nothing = chance(0.2) ? one(NOTHING) : '';
  const writeList = pick(random, LISTS);
  const sep = chance(0.25);
  const mark = chance(0.3);
  const emptyBefore = chance(0.25);
  const emptyBetween = chance(0.25);
  const cell = (text: string) =>
    quotesAll || text.includes(separator) || /["\r\n]/.test(text) || text.trim() !== text
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const line = (cells: readonly string[]) => cells.map(cell).join(separator);
  const lines = [
    ...(sep ? [`sep=${separator}`] : []),
    ...(emptyBefore ? ['', ''] : []),
    // Without `sep=`, the first separator in the header determines it.
    sep
      ? line(header)
      : header.map((name) => (/[,;\t]/.test(name) ? `"${name}"` : cell(name))).join(separator),
    ...rows.flatMap((row, n) => {
      const isWritten = Object.entries(row).some(
        ([field, value]) => field !== kind.free && value.length === 0,
      );
      const cells = fields.map((field) => {
        if (extra.includes(field)) return `note ${n}${separator}"x"`;
        const value = row[field] ?? '';
        const text = typeof value === 'string' ? value : value.length > 0 ? writeList(value) : '';
        return text === '' && (isWritten || field !== kind.free) ? nothing : text;
      });
      return emptyBetween && n % 7 === 3 ? ['', line(cells)] : [line(cells)];
    }),
  ];
  const text = `${mark ? '\ufeff' : ''}${lines.join(lineEnd)}${chance(0.7) ? lineEnd : ''}`;
  const whole = Buffer.from(text);
  const gzipped = chance(0.4);
  const cut = pick(random, [
    [6, 'no'],
    [2, 'text'],
    [gzipped ? 2 : 0, 'gzip'],
  ] as Weighted<DressedTable['cut']>);
  const bytes = cut === 'text' ? whole.subarray(0, Math.floor(random() * whole.length)) : whole;
  const packed = gzipped ? gzipSync(bytes) : bytes;
  // Truncated after the gzip header, because an empty body has no encoding.
  const sent = cut === 'gzip' ? packed.subarray(0, 20 + Math.floor(random() * (packed.length - 20))) : packed;
  const readable = cut === 'gzip' ? gunzipSync(sent, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes;
  const dress = JSON.stringify({
    rows: rows.length,
    header,
    separator,
    lineEnd,
    sep,
    mark,
    emptyBefore,
    emptyBetween,
    quotesAll,
    nothing,
    gzipped,
    cut,
  });
  return {
    rows,
    ignored: header.filter((name) => extra.includes(name)),
    bytes,
    sent,
    gzipped,
    readable,
    cut,
    dress,
  };
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
