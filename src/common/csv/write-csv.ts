/** Formats rows as CSV (RFC 4180), with CRLF line ends. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

/** Quotes cells with anything that a program may take for a separator, whichever it is configured to use. */
function cellOf(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A start that makes a spreadsheet run the cell as a formula, also after spaces and apostrophes. */
const START = /^('*)(?=[\t\r\n]|\s*[=+\-@＝＋－＠])/;
/** The same inside the text, where a cell begins if the reader uses another separator. */
const INSIDE = /(?<![\s,;"])([\s,;"]+)('*)(?=([=+\-@＝＋－＠]))/g;
const CELL_START = /[,;\t\r\n]"*$/;
const SEPARATOR = /[,;\t\r\n]/;

/**
 * Prevents formulas: puts an apostrophe before everything that a spreadsheet would run as a formula. An existing
 * apostrophe gets another one, so that `withoutGuard` is the exact inverse.
 */
export function guarded(text: string): string {
  return inside(text, (apostrophes) => `'${apostrophes}`).replace(START, `'$1`);
}

export function withoutGuard(cell: string): string {
  return inside(withoutStartGuard(cell), (apostrophes) => apostrophes.slice(1));
}

/** After a space, only the equals sign is guarded: `Sale, -10 %` is prose. */
function inside(text: string, change: (apostrophes: string) => string): string {
  return text.replace(INSIDE, (all, before: string, apostrophes: string, sign: string) => {
    const isFormula = CELL_START.test(before) || (SEPARATOR.test(before) && /[=＝]/.test(sign));
    return isFormula ? before + change(apostrophes) : all;
  });
}

/** Guards only the start of an address, because the rest must stay identical. */
export function guardedStart(text: string): string {
  return text.replace(START, `'$1`);
}

export function withoutStartGuard(cell: string): string {
  return cell.replace(START, (apostrophes) => apostrophes.slice(1));
}
