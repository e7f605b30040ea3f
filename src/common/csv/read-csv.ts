import { CsvReader, type CsvRow, MalformedCsv } from './csv-reader';

interface CsvBounds {
  /** Maximum number of rows after the header. */
  maxRows?: number;
  /** The organization's limit of rows. */
  includedRows?: number;
}

/** The source ended prematurely, so the last row may be incomplete. */
export class SourceBroken extends Error {}

/** Characters of the rows in a transaction. */
const MAX_BATCH = 1_048_576;

/**
 * Reads the rows of a CSV file in UTF-8, with or without a byte order mark. Used by the service and by the console.
 * @throws MalformedCsv after all rows before the line it names, also for the first row beyond the limits
 */
export function readCsv(source: AsyncIterable<Uint8Array>, bounds?: CsvBounds): AsyncGenerator<CsvRow> {
  return withinBounds(rowsOf(source), bounds);
}

/** The rows, header first. @throws MalformedCsv after all rows within the bounds */
export async function* withinBounds(
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  { maxRows = Infinity, includedRows = Infinity }: CsvBounds = {},
): AsyncGenerator<CsvRow> {
  let read = 0;
  for await (const row of rows) {
    const { line } = row;
    if (read > maxRows)
      throw new MalformedCsv(line, 'TOO_MANY_ROWS', `exceeds the ${count(maxRows)} rows allowed in a file`);
    if (read > includedRows) {
      const problem = `exceeds the limit of ${count(includedRows)} rows in a file`;
      throw new MalformedCsv(line, 'TOO_MANY_ROWS', problem, includedRows);
    }
    read++;
    yield row;
  }
}

function count(rows: number): string {
  return rows.toLocaleString('en-US');
}

/** Whether the rows suffice for a transaction, by number or by size. */
export function isFullBatch(rows: readonly CsvRow[], maxRows: number): boolean {
  return rows.length >= maxRows || rows.reduce((sum, { length }) => sum + length, 0) >= MAX_BATCH;
}

async function* rowsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const reader = new CsvReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let first: number | undefined;
  try {
    for await (const chunk of source) {
      first ??= chunk[0];
      const text = attempt(() => decoder.decode(chunk, { stream: true }));
      yield* reader.write(text ?? validStart(chunk));
      if (text === null) throw reader.malformed(startsUtf16(first) ? 'UTF16' : 'NOT_UTF8');
    }
  } catch (error) {
    throw error instanceof SourceBroken ? reader.malformed('BROKEN_OFF') : error;
  }
  if (attempt(() => decoder.decode()) === null) throw reader.malformed('NOT_UTF8');
  yield* reader.end();
}

/** Whether a file starts like a byte order mark of UTF-16, with a byte that UTF-8 never contains. */
function startsUtf16(first: number | undefined): boolean {
  return first === 0xfe || first === 0xff;
}

function attempt(decode: () => string): string | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

/** The valid prefix of a chunk that is not UTF-8, which is needed to find the line of the error. */
function validStart(chunk: Uint8Array): string {
  const start = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(chunk.subarray(Math.max(0, start)));
  return text.slice(0, Math.max(0, text.indexOf('\ufffd')));
}
