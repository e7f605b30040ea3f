/** A row of a CSV file, and the number of its first line, counted from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Total characters of the cells. */
  readonly length: number;
}

/**
 * Characters of a row, more than any valid one; without a limit, an unclosed quote would consume the rest of the file.
 */
const MAX_ROW = 256 * 1024;
export const MAX_COLUMNS = 1_000;
/** Empty lines are skipped, but reading them takes time. */
const MAX_EMPTY_LINES = 100_000;

const PROBLEMS = {
  QUOTE_NOT_CLOSED: 'has a quote that is never closed',
  TEXT_AFTER_QUOTE: 'has text after a closing quote',
  QUOTE_IN_CELL: 'has a quote inside an unquoted field',
  ROW_TOO_LONG: `is longer than ${MAX_ROW / 1024} KiB, or has a quote that is never closed`,
  TOO_MANY_COLUMNS: 'has more than 1,000 columns',
  TOO_MANY_EMPTY_LINES: 'follows 100,000 empty lines, the most that a file may have',
  NOT_UTF8: 'is not valid UTF-8',
  UTF16: 'is not valid UTF-8, but UTF-16',
  NOT_JSON: 'is not valid JSON',
  NO_LIST: 'is JSON without a list of objects',
  SEVERAL_LISTS: 'is JSON with several lists of objects',
  BROKEN_OFF: 'is where the body breaks off, so it is not complete',
};
export type CsvProblem = keyof typeof PROBLEMS | 'TOO_MANY_ROWS';

/** The file cannot be read beyond a certain line. */
export class MalformedCsv extends Error {
  constructor(
    readonly line: number,
    readonly code: CsvProblem,
    readonly problem: string,
    /** The organization's limit of rows, if it is the reason. */
    readonly includedRows: number | null = null,
  ) {
    super(`line ${line}: ${problem}`);
  }
}

export function malformed(line: number, code: keyof typeof PROBLEMS): MalformedCsv {
  return new MalformedCsv(line, code, PROBLEMS[code]);
}

const CR = 13;
const LF = 10;
const QUOTE = 34;

type CellState = 'start' | 'plain' | 'quoted' | 'closed';

/**
 * Parses CSV (RFC 4180) from pieces of text: cells separated by commas, semicolons or tabs, any line ends, an optional
 * `sep=;` before the header. Empty lines are skipped.
 */
export class CsvReader {
  /** Start of the file, until its separator is known. */
  private head: string | null = '';
  private separator = 0;
  /** First line of the current row, and the current line. */
  private rowLine = 1;
  private line = 1;
  private state: CellState = 'start';
  private afterCr = false;
  private cell = '';
  private cells: string[] = [];
  /** Characters of the current row in earlier pieces. */
  private read = 0;
  private blank = true;
  private columns = 0;
  private emptyLines = 0;

  /** Yields the rows completed by this piece. @throws MalformedCsv after the rows before the line it names */
  *write(text: string): Generator<CsvRow> {
    yield* this.rows(this.afterHead(text, false));
  }

  /** Yields the last row, at the end of the file. @throws MalformedCsv */
  *end(): Generator<CsvRow> {
    yield* this.rows(this.afterHead('', true));
    if (this.state === 'quoted') throw this.malformed('QUOTE_NOT_CLOSED');
    if (this.state !== 'start' || this.cells.length > 0) yield* this.endRow('', 0);
  }

  malformed(code: keyof typeof PROBLEMS): MalformedCsv {
    return malformed(this.rowLine, code);
  }

  private afterHead(text: string, ended: boolean): string {
    if (this.head === null) return text;
    this.head += text;
    const start = startOf(this.head, ended);
    if (!start) return '';
    const rest = this.head.slice(start.length);
    this.head = null;
    this.separator = start.separator.charCodeAt(0);
    this.line = this.rowLine += start.lines;
    return rest;
  }

  private *rows(text: string): Generator<CsvRow> {
    /** Positions in this piece at which the current cell and the current row start. */
    let from = 0;
    let rowFrom = -this.read;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const endsCrlf = code === LF && this.afterCr;
      this.afterCr = code === CR;
      if (endsCrlf) {
        if (this.state !== 'quoted') from = rowFrom = at + 1;
        continue;
      }
      const breaks = code === CR || code === LF;
      if (breaks) this.line++;
      if (this.state === 'quoted') {
        if (code !== QUOTE) continue;
        this.cell += text.slice(from, at);
        from = at + 1;
        this.state = 'closed';
      } else if (code === QUOTE) {
        if (this.state === 'plain') throw this.malformed('QUOTE_IN_CELL');
        // Two quotes in a quoted cell stand for one.
        from = this.state === 'closed' ? at : at + 1;
        this.state = 'quoted';
      } else if (breaks) {
        yield* this.endRow(text.slice(from, at), at - rowFrom);
        from = rowFrom = at + 1;
      } else if (code === this.separator) {
        this.endCell(text.slice(from, at));
        from = at + 1;
      } else if (this.state === 'closed') throw this.malformed('TEXT_AFTER_QUOTE');
      else this.state = 'plain';
    }
    this.cell += text.slice(from);
    this.read = text.length - rowFrom;
    if (this.read > MAX_ROW) throw this.malformed('ROW_TOO_LONG');
  }

  private endCell(rest: string): void {
    const cell = this.cell + rest;
    this.cell = '';
    this.state = 'start';
    if (this.blank && cell.trim() !== '') this.blank = false;
    if (this.cells.length <= MAX_COLUMNS) this.cells.push(cell);
  }

  private *endRow(rest: string, size: number): Generator<CsvRow> {
    if (size > MAX_ROW) throw this.malformed('ROW_TOO_LONG');
    this.endCell(rest);
    const { cells, rowLine: line, blank } = this;
    this.cells = [];
    this.blank = true;
    if (blank && ++this.emptyLines > MAX_EMPTY_LINES) throw this.malformed('TOO_MANY_EMPTY_LINES');
    if (!blank && this.columns === 0 && cells.length > MAX_COLUMNS) throw this.malformed('TOO_MANY_COLUMNS');
    this.rowLine = this.line;
    if (blank) return;
    this.columns ||= cells.length;
    while (cells.length > this.columns && cells.at(-1)?.trim() === '') cells.pop();
    yield { line, cells, length: cells.reduce((sum, { length }) => sum + length, 0) };
  }
}

interface CsvStart {
  separator: string;
  /** Characters before the first row: the line `sep=;`, which Excel understands. */
  length: number;
  /** Lines before the first row. */
  lines: number;
}

const SEPARATORS = [',', ';', '\t'];
const INSTRUCTION = /^\s*"?sep=([,;\t])"?[ ]*(?:\r\n|\r|\n|$)/i;
const LINE_BREAK = /\r\n|\r|\n/g;
/** A file with a single column. */
const ALONE: CsvStart = { separator: ',', length: 0, lines: 0 };
/** Characters of a header by which the separator is detected. */
const MAX_HEAD = 16_384;

/**
 * Detects the separator from the first line: an instruction (`sep=;`), else the first comma, semicolon or tab
 * outside quotes; later cells may contain the others.
 * @param head start of the file
 * @param ended whether that is all of it
 * @returns null while more input is needed
 */
function startOf(head: string, ended: boolean): CsvStart | null {
  const complete = ended || head.length >= MAX_HEAD;
  const instruction = INSTRUCTION.exec(head);
  if (instruction) {
    const [text, separator = ','] = instruction;
    // A CR at the end may be the first half of a CRLF.
    if (text.length === head.length && !complete) return null;
    return { separator, length: text.length, lines: text.match(LINE_BREAK)?.length ?? 1 };
  }
  let quoted = false;
  let blank = true;
  for (const character of head) {
    if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (SEPARATORS.includes(character)) return { separator: character, length: 0, lines: 0 };
    else if (!blank && (character === '\r' || character === '\n')) return ALONE;
    if (character.trim() !== '') blank = false;
  }
  return complete ? ALONE : null;
}
