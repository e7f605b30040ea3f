import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { startOf } from './csv-separator';

/** A row of a CSV file, and its first line, counted from 1. */
export interface CsvRow {
  line: number;
  /** At most as many as in the first row. */
  cells: string[];
  /** Total characters of the cells. */
  length: number;
}

/** The file cannot be parsed beyond a line. */
export class MalformedCsv extends Error {
  constructor(
    readonly line: number,
    readonly problem: string,
    /** The rows that the organization's limit allows, if they are the reason. */
    readonly includedRows: number | null = null,
  ) {
    super(`line ${line}: ${problem}`);
  }
}

/** Limits on reading a file. */
interface CsvBounds {
  /** Rows after the header. */
  maxRows?: number;
  /** The same by the organization's limit. */
  includedRows?: number;
}

const LINE_BREAK = /\r\n|\r|\n/g;
/** More than any valid row; without a limit, an unclosed quote would swallow the rest of the file. */
const MAX_ROW = 256 * 1024;
const MAX_COLUMNS = 1_000;
/** Empty lines are not rows, but take time to read. */
const MAX_EMPTY_LINES = 100_000;
/** Characters in the rows of a transaction. */
const MAX_BATCH = 1_048_576;

/** Characters parsed per turn of the event loop. */
const PIECE = 16_384;

const PROBLEMS: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote',
  INVALID_OPENING_QUOTE: 'has a quote inside an unquoted field',
  CSV_MAX_RECORD_SIZE: `is longer than ${MAX_ROW / 1024} KiB, or has a quote that is never closed`,
};

/**
 * Streams the rows of a CSV file (RFC 4180): UTF-8 with or without a byte order mark, any line ending,
 * separated by commas, semicolons or tabs. Empty lines are skipped.
 * @throws MalformedCsv after all rows before the line it names, including the first line beyond the limits
 */
export async function* readCsv(
  source: AsyncIterable<Buffer>,
  { maxRows = Infinity, includedRows = Infinity }: CsvBounds = {},
): AsyncGenerator<CsvRow> {
  let read = 0;
  for await (const row of rowsOf(source)) {
    if (read > maxRows)
      throw new MalformedCsv(row.line, `exceeds the ${count(maxRows)} rows allowed in a file`);
    if (read > includedRows) {
      const problem = `exceeds the limit of ${count(includedRows)} rows in a file`;
      throw new MalformedCsv(row.line, problem, includedRows);
    }
    read++;
    yield row;
  }
}

function count(rows: number): string {
  return rows.toLocaleString('en-US');
}

/** Whether these rows are enough for one transaction, by number or by size. */
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
    // A broken file usually ends within a row, which must be dropped.
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
    throw new MalformedCsv(line, 'follows 100,000 empty lines, the most that a file may have');
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
    // `take` collects the rows, so nothing is emitted, but a stream must be read to end.
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

/** The valid prefix of a chunk that is not UTF-8, needed to find the line of the error. */
function validStart(chunk: Buffer): string {
  const start = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(chunk.subarray(Math.max(0, start)));
  return text.slice(0, Math.max(0, text.indexOf('\ufffd')));
}

/** Parses in pieces of a few milliseconds, so that other requests of this process are not delayed. */
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
  return new MalformedCsv(line, PROBLEMS[code] ?? 'cannot be read');
}

/** Formats rows as CSV, with CRLF line endings. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return stringify(rows as string[][], { record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

/** Text that a spreadsheet would run as a formula, even after apostrophes. */
const FORMULA = /^'*[=+\-@\t\r\n]/;

/**
 * Prefixes a cell that a spreadsheet would run as a formula with an apostrophe. `withoutGuard` removes it
 * again, so an existing apostrophe gets another one.
 */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Reverses `guarded`. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
