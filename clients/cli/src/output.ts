import { styleText } from 'node:util';
import { fit, pad, type Printable, printable, widthOf } from './text';

const DEFAULT_COLUMNS = 80;

/** Writes to standard output what was asked for, and everything else to standard error. */
export class Output {
  constructor(readonly json: boolean) {}

  get isTerminal(): boolean {
    return process.stdout.isTTY;
  }

  /** Columns of the terminal, or of `COLUMNS`. */
  get columns(): number {
    return (this.isTerminal ? process.stdout.columns : Number(process.env.COLUMNS)) || DEFAULT_COLUMNS;
  }

  print(line: string): void {
    process.stdout.write(`${line}\n`);
  }

  /** The answer to `--json`: one document, indented on a terminal. */
  document(value: unknown): void {
    this.print(JSON.stringify(value, null, this.isTerminal ? 2 : undefined));
  }

  /** A message about what is going on. */
  note(message: string): void {
    process.stderr.write(`${message}\n`);
  }

  style(format: Parameters<typeof styleText>[0], text: string): string {
    const hasColour = this.isTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
    return hasColour ? styleText(format, text) : text;
  }

  /** Rows in columns; separated by tabs, without a heading, where they are not read on a terminal. */
  table(headings: readonly string[], rows: readonly (readonly Printable[])[]): void {
    const cells = rows.map((row) => row.map((cell) => printable(cell)));
    if (!this.isTerminal) {
      for (const row of cells) this.print(row.join('\t'));
      return;
    }
    const widths = fitColumns(
      headings.map((heading, i) => Math.max(widthOf(heading), ...cells.map((row) => widthOf(row[i] ?? '')))),
      this.columns,
    );
    const line = (row: readonly string[]) =>
      row
        .map((cell, i) => pad(fit(cell, widths[i] ?? 0), widths[i] ?? 0))
        .join(GAP)
        .trimEnd();
    this.print(this.style('bold', line(headings)));
    for (const row of cells) this.print(line(row));
  }
}

const GAP = '  ';
const LEAST = 6;

/** Takes from the widest column until all fit. */
function fitColumns(widths: number[], columns: number): number[] {
  const fitted = [...widths];
  const total = () => fitted.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  for (let excess = total() - columns; excess > 0; excess--) {
    const widest = Math.max(...fitted);
    if (widest <= LEAST) break;
    fitted[fitted.indexOf(widest)] = widest - 1;
  }
  return fitted;
}
