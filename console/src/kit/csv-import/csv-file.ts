import { type CsvProblem, type CsvRow, malformed, MalformedCsv } from '../../../../src/common/csv/csv-reader';
import { rowsOfJson } from '../../../../src/common/csv/json-rows';
import { readCsv } from '../../../../src/common/csv/read-csv';
import { writeCsv } from '../../../../src/common/csv/write-csv';

/** A file of CSV or JSON, parsed by the rules of the API. */
export interface CsvFile {
  readonly header: readonly string[];
  readonly rows: readonly CsvRow[];
  /** The line from which the file cannot be read. */
  readonly broken: { readonly line: number; readonly code: CsvProblem } | null;
}

/** Column names for a file without a header; null if the first row is a header. */
type HeaderOf = (first: readonly string[]) => readonly string[] | null;

export async function readCsvFile(file: Blob, headerOf: HeaderOf = () => null): Promise<CsvFile> {
  const rows: CsvRow[] = [];
  let header: readonly string[] | null = null;
  let broken: CsvFile['broken'] = null;
  try {
    for await (const row of rowsOf(file)) {
      const names: readonly string[] | null = header === null ? headerOf(row.cells) : null;
      if (header !== null || names !== null) rows.push(row);
      header ??= names ?? row.cells;
    }
  } catch (error) {
    if (!(error instanceof MalformedCsv)) throw error;
    broken = { line: error.line, code: error.code };
  }
  return { header: header ?? [], rows, broken };
}

async function* rowsOf(file: Blob): AsyncGenerator<CsvRow> {
  const isJson = /^\s*[[{]/.test(await file.slice(0, 100).text());
  if (isJson) yield* rowsOfJson(parsed(await file.text()));
  else yield* readCsv(chunksOf(file));
}

/** @throws MalformedCsv */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(1, 'NOT_JSON');
  }
}

async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** A part of a file with the header, for an import that shows progress and can be stopped. */
export interface CsvPart {
  readonly body: string;
  /** Rows of the file before this part. */
  readonly rowsBefore: number;
  readonly rows: readonly CsvRow[];
  /** The row of the file at a line of the part. */
  readonly rowAt: (line: number) => CsvRow | undefined;
}

interface Limits {
  readonly rows: number;
  readonly characters: number;
}

export function csvParts({ header, rows }: CsvFile, limits: Limits): CsvPart[] {
  const parts: CsvPart[] = [];
  for (let first = 0; first < rows.length || parts.length === 0;) {
    let next = first;
    let characters = 0;
    while (next < rows.length && next - first < limits.rows) {
      characters += rows[next]?.length ?? 0;
      if (next > first && characters > limits.characters) break;
      next++;
    }
    parts.push(partOf(header, rows.slice(first, next), first));
    first = Math.max(next, 1);
  }
  return parts;
}

function partOf(header: readonly string[], rows: readonly CsvRow[], rowsBefore: number): CsvPart {
  const texts = [header, ...rows.map(({ cells }) => cells)].map((cells) => writeCsv([cells]));
  const at = new Map<number, CsvRow>();
  let line = 1;
  texts.forEach((text, i) => {
    const row = rows[i - 1];
    if (row) at.set(line, row);
    line += text.match(/\r\n|\r|\n/g)?.length ?? 0;
  });
  return { body: texts.join(''), rowsBefore, rows, rowAt: (wanted) => at.get(wanted) };
}

/** Options with which a call sends a part as its body. */
export function csvBody({ body }: CsvPart) {
  return { body: '', bodySerializer: () => body, headers: { 'Content-Type': 'text/csv' } };
}

export interface FailedRow {
  readonly cells: readonly string[];
  readonly message: string;
}

/** Column with the error in a file of failed rows; imports ignore it. */
const ERROR = 'error';

/** The failed rows as a file to correct and import again. */
export function failedFile(header: readonly string[], failed: readonly FailedRow[]): string {
  const columns = header.map((_, i) => i).filter((i) => header[i] !== ERROR);
  const rows = failed.map(({ cells, message }) => [...columns.map((i) => cells[i] ?? ''), message]);
  // Byte order mark, by which spreadsheets recognize UTF-8.
  return `\uFEFF${writeCsv([[...columns.map((i) => header[i] ?? ''), ERROR], ...rows])}`;
}
