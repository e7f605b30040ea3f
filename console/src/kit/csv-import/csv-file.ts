import { type CsvProblem, type CsvRow, MalformedCsv } from '../../../../src/common/csv/csv-reader';
import { readCsv } from '../../../../src/common/csv/read-csv';
import { writeCsv } from '../../../../src/common/csv/write-csv';

/** A file as the API would read it. */
export interface CsvFile {
  readonly header: readonly string[];
  readonly rows: readonly CsvRow[];
  /** Where it cannot be read further. */
  readonly broken: { readonly line: number; readonly code: CsvProblem } | null;
}

/** Names of columns for a file whose first row names none; null if it names them. */
type HeaderOf = (first: readonly string[]) => readonly string[] | null;

export async function readCsvFile(file: Blob, headerOf: HeaderOf = () => null): Promise<CsvFile> {
  const rows: CsvRow[] = [];
  let header: readonly string[] | null = null;
  let broken: CsvFile['broken'] = null;
  try {
    for await (const row of readCsv(chunksOf(file))) {
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

async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** A piece of a file with its header, so that an import shows how far it is and can be stopped. */
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

/** What sends a part as the body of a call. */
export function csvBody({ body }: CsvPart) {
  return { body: '', bodySerializer: () => body, headers: { 'Content-Type': 'text/csv' } };
}

/** A row that failed, and why. */
export interface FailedRow {
  readonly cells: readonly string[];
  readonly message: string;
}

/** An import ignores this column. */
const ERROR = 'error';

/** The rows that failed as a file to mend and import again. */
export function failedFile(header: readonly string[], failed: readonly FailedRow[]): string {
  const columns = header.map((_, i) => i).filter((i) => header[i] !== ERROR);
  const rows = failed.map(({ cells, message }) => [...columns.map((i) => cells[i] ?? ''), message]);
  // The mark by which spreadsheets tell UTF-8.
  return `\uFEFF${writeCsv([[...columns.map((i) => header[i] ?? ''), ERROR], ...rows])}`;
}
