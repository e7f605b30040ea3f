/** A piece of a file between two rows, with the file's header, so that an import shows how far it is and can be stopped. */
export interface CsvPart {
  readonly body: Blob;
  /** Rows of the file before this part. */
  readonly rowsBefore: number;
  readonly rows: number;
  /** What to add to a line of the part to have the line of the file. */
  readonly lineOffset: number;
}

/** What sends a part as the body of a call. */
export function csvBody({ body }: CsvPart) {
  return { body: '', bodySerializer: () => body, headers: { 'Content-Type': 'text/csv' } };
}

interface Limits {
  readonly rows: number;
  readonly bytes: number;
}

const QUOTE = 0x22;
const NEWLINE = 0x0a;

/** @param hasHeader whether the first row names the columns */
export function csvParts(file: Uint8Array<ArrayBuffer>, limits: Limits, hasHeader: boolean): CsvPart[] {
  const ends = rowEnds(file);
  const header = hasHeader ? ends.shift() : undefined;
  const head = file.subarray(0, header?.end ?? 0);
  const begin = { end: head.length, lines: header?.lines ?? 0 };
  if (ends.length === 0) return [{ body: new Blob([head]), rowsBefore: 0, rows: 0, lineOffset: 0 }];
  const parts: CsvPart[] = [];
  for (let first = 0; first < ends.length;) {
    const start = ends[first - 1] ?? begin;
    let next = first + 1;
    while (next < ends.length && next - first < limits.rows) {
      if ((ends[next]?.end ?? 0) - start.end > limits.bytes) break;
      next++;
    }
    const content = file.subarray(start.end, ends[next - 1]?.end);
    parts.push({
      body: new Blob([head, content]),
      rowsBefore: first,
      rows: next - first,
      lineOffset: start.lines - begin.lines,
    });
    first = next;
  }
  return parts;
}

/** The ends of the rows and the lines up to there; a line break in quotes ends no row. */
function rowEnds(file: Uint8Array): { end: number; lines: number }[] {
  const ends: { end: number; lines: number }[] = [];
  let quoted = false;
  let lines = 0;
  for (let at = 0; at < file.length; at++) {
    const byte = file[at];
    if (byte === QUOTE) quoted = !quoted;
    if (byte !== NEWLINE) continue;
    lines++;
    if (!quoted) ends.push({ end: at + 1, lines });
  }
  if ((ends.at(-1)?.end ?? 0) < file.length) ends.push({ end: file.length, lines: lines + 1 });
  return ends;
}
