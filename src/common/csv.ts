import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { startOf } from './csv-separator';

/** A row of a CSV file, and the line that it starts at, from 1 on. */
export interface CsvRow {
  line: number;
  /** At most as many as the first row of the file has. */
  cells: string[];
  /** Characters of all of its cells. */
  length: number;
}

/** A file that can't be read any further. */
export class MalformedCsv extends Error {
  constructor(
    readonly line: number,
    readonly problem: string,
  ) {
    super(`line ${line}: ${problem}`);
  }
}

/** How far a file is read. */
interface CsvBounds {
  /** Rows after the first, which is the header. */
  maxRows?: number;
}

const LINE_BREAK = /\r\n|\r|\n/g;
/** No row of ours comes near it; a quote that is never closed would take the rest of the file. */
const MAX_ROW = 256 * 1024;
const MAX_COLUMNS = 1_000;
/** An empty line is no row, but costs time to read. */
const MAX_EMPTY_LINES = 100_000;
/** Characters in the rows of one transaction. */
const MAX_BATCH = 1_048_576;

/** Characters that are read between two turns of the event loop. */
const PIECE = 16_384;

const PROBLEMS: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote',
  INVALID_OPENING_QUOTE: 'has a quote inside of a field without quotes',
  CSV_MAX_RECORD_SIZE: `is longer than ${MAX_ROW / 1024} KiB, or has a quote that is never closed`,
};

/**
 * Reads CSV (RFC 4180) as it comes: UTF-8 with or without a byte order mark, lines ended in whichever way, cells
 * separated by commas, semicolons or tabs. Lines without anything are left out.
 * @throws MalformedCsv after all rows before the line that it names, be it the first beyond `maxRows`
 */
export async function* readCsv(
  source: AsyncIterable<Buffer>,
  { maxRows = Infinity }: CsvBounds = {},
): AsyncGenerator<CsvRow> {
  let read = 0;
  for await (const row of rowsOf(source)) {
    if (read++ > maxRows) {
      const most = maxRows.toLocaleString('en-US');
      throw new MalformedCsv(row.line, `is beyond the ${most} rows that a file may have`);
    }
    yield row;
  }
}

/** Whether so many rows, or what is in them, are enough for one transaction. */
export function isFullBatch(rows: readonly CsvRow[], maxRows: number): boolean {
  return rows.length >= maxRows || rows.reduce((sum, { length }) => sum + length, 0) >= MAX_BATCH;
}

async function* rowsOf(source: AsyncIterable<Buffer>): AsyncGenerator<CsvRow> {
  const rows: CsvRow[] = [];
  let line = 1;
  let broken = false;
  let columns = 0;
  let emptyLines = 0;
  const take = ({ record, raw }: { record: string[]; raw: string }) => {
    const breaks = raw.match(LINE_BREAK)?.length ?? 0;
    // Where the text breaks off, the last row is a part of one.
    const whole = !broken || /[\r\n]$/.test(raw);
    const isEmpty = record.every((cell) => cell.trim() === '');
    if (isEmpty) emptyLines++;
    else if (whole) {
      columns ||= record.length;
      if (columns > MAX_COLUMNS) return null;
      const cells = record.slice(0, columns);
      rows.push({ line, cells, length: cells.reduce((sum, { length }) => sum + length, 0) });
    }
    line += breaks;
    return null;
  };
  const checkBounds = () => {
    if (columns > MAX_COLUMNS) throw new MalformedCsv(line, 'has more than 1,000 columns');
    if (emptyLines <= MAX_EMPTY_LINES) return;
    throw new MalformedCsv(line, 'is behind the 100,000 empty lines that a file may have');
  };
  const failures: Error[] = [];
  let head = '';
  const opened: { parser?: Parser } = {};
  const feed = async (text: string, ended = false) => {
    if (opened.parser) return write(opened.parser, text);
    head += text;
    const start = startOf(head, ended);
    if (!start) return;
    line += start.lines;
    const parser = parse({
      delimiter: start.separator,
      raw: true,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: MAX_ROW,
      on_record: take as never,
    });
    opened.parser = parser;
    parser.on('error', (error) => failures.push(error));
    // Nothing is emitted, as `take` keeps it all; but a stream that nobody reads would not end.
    parser.resume();
    await write(parser, head.slice(start.length));
  };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of source) {
    const text = attempt(() => decoder.decode(chunk, { stream: true }));
    broken = text === null;
    await feed(text ?? validStart(chunk));
    if (broken || failures.length > 0) break;
    yield* rows.splice(0);
    checkBounds();
  }
  broken ||= attempt(() => decoder.decode()) === null;
  if (failures.length === 0) {
    await feed('', true);
    if (opened.parser) await end(opened.parser);
  }
  yield* rows.splice(0);
  checkBounds();
  if (broken) throw new MalformedCsv(line, 'is not valid UTF-8');
  for (const failure of failures) throw malformed(failure, line);
}

function attempt(decode: () => string): string | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

/** What can be read of a chunk that is not UTF-8, so that the line of the fault is found. */
function validStart(chunk: Buffer): string {
  const start = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(chunk.subarray(Math.max(0, start)));
  return text.slice(0, Math.max(0, text.indexOf('\ufffd')));
}

/** In pieces that take a few milliseconds each: who else is answered by this process does not wait for more. */
async function write(parser: Parser, text: string): Promise<void> {
  for (let start = 0; start < text.length; start += PIECE) {
    await new Promise<void>((resolve) => parser.write(text.slice(start, start + PIECE), () => resolve()));
    await nextTurn();
  }
}

function end(parser: Parser): Promise<void> {
  return new Promise((resolve) => {
    parser.once('close', resolve);
    parser.end();
  });
}

function malformed(error: Error, line: number): MalformedCsv {
  const code = error instanceof CsvError ? error.code : '';
  return new MalformedCsv(line, PROBLEMS[code] ?? 'can not be read');
}

/** Rows as CSV, each line ended by CRLF. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return stringify(rows as string[][], { record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

/** What a spreadsheet would run as a formula, be it after apostrophes. */
const FORMULA = /^'*[=+\-@\t\r\n]/;

/**
 * A cell that no spreadsheet takes for a formula. The apostrophe goes away again in `withoutGuard`, which is why one
 * that was there gets another.
 */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text of a cell as it was before `guarded`. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
