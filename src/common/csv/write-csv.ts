/** Formats rows as CSV (RFC 4180), with CRLF line ends. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

/** Quotes what any program may take for a separator, whichever of them it was told. */
function cellOf(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The beginning of a text that a spreadsheet would run as a formula, also after spaces and apostrophes. */
const START = /^('*)(?=[\t\r\n]|\s*[=+\-@＝＋－＠])/;
/** The same inside the text, where a cell begins if the reader assumes another separator. */
const INSIDE = /(?<![\s,;"])([\s,;"]+)('*)(?=([=+\-@＝＋－＠]))/g;
const CELL_START = /[,;\t\r\n]"*$/;
const SEPARATOR = /[,;\t\r\n]/;

/**
 * Puts an apostrophe before everything in a cell that a spreadsheet would run as a formula. `withoutGuard`
 * takes it away again, so an existing apostrophe gets another one.
 */
export function guarded(text: string): string {
  return inside(text, (apostrophes) => `'${apostrophes}`).replace(START, `'$1`);
}

/** Reverses `guarded`. */
export function withoutGuard(cell: string): string {
  return inside(withoutStartGuard(cell), (apostrophes) => apostrophes.slice(1));
}

/** After a space, only the equals sign counts: `Sale, -10 %` is prose. */
function inside(text: string, change: (apostrophes: string) => string): string {
  return text.replace(INSIDE, (all, before: string, apostrophes: string, sign: string) => {
    const isFormula = CELL_START.test(before) || (SEPARATOR.test(before) && /[=＝]/.test(sign));
    return isFormula ? before + change(apostrophes) : all;
  });
}

/** The guard of an address: its first characters alone, because it must stay the same byte for byte. */
export function guardedStart(text: string): string {
  return text.replace(START, `'$1`);
}

/** Reverses `guardedStart`. */
export function withoutStartGuard(cell: string): string {
  return cell.replace(START, (apostrophes) => apostrophes.slice(1));
}
