/** A file cut between rows, each part with the file's header, so that an import shows how far it is and can be stopped. */
export interface CsvPart {
  readonly body: Blob;
  /** Rows of the file up to the end of this part. */
  readonly rowsBefore: number;
  readonly rows: number;
  /** What to add to a line of the part to have the line of the file. */
  readonly lineOffset: number;
}

interface Limits {
  rows: number;
  bytes: number;
}

const QUOTE = 0x22;
const NEWLINE = 0x0a;

export function csvParts(file: Uint8Array<ArrayBuffer>, limits: Limits): CsvPart[] {
  const ends = rowEnds(file);
  const [header] = ends;
  if (header === undefined) return [{ body: new Blob([file]), rowsBefore: 0, rows: 0, lineOffset: 0 }];
  const head = file.subarray(0, header.end);
  const parts: CsvPart[] = [];
  let first = 1;
  while (first < ends.length || parts.length === 0) {
    const start = ends[first - 1] ?? header;
    let next = first;
    while (next < ends.length && next - first < limits.rows) {
      const { end } = ends[next] ?? start;
      if (next > first && end - start.end > limits.bytes) break;
      next++;
    }
    const end = ends[next - 1]?.end ?? file.length;
    parts.push({
      body: new Blob([head, file.subarray(start.end, end)], { type: 'text/csv' }),
      rowsBefore: first - 1,
      rows: next - first,
      lineOffset: start.lines - header.lines,
    });
    first = next;
    if (next >= ends.length) break;
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
