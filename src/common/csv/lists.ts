/** How other products export empty values. */
export const NOTHING = /^\s*(?:null|undefined|nan|\(null\)|\\N|#N\/A)\s*$/i;

/** In order of preference; an item may contain the later ones. */
const SEPARATORS = [',', ';', '|'];
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s*[[{']/;
/** A list literal, such as Python's `['a', 'b']` or PostgreSQL's `{a,b}`. */
const BRACKETED = /^(?:\[(.*)\]|\{(.*)\})$/s;

/**
 * The items of a list in a cell: a JSON array, of texts or of objects with a name, or items separated by commas,
 * semicolons or bars, maybe in brackets.
 */
export function readList(cell: string): unknown {
  const array = jsonArray(cell.trim())?.map(nameOf);
  if (array?.every((item) => typeof item === 'string' || typeof item === 'number'))
    return withoutEmpty(array.map(String));
  if (array) return array;
  const [bracketed, square, curly] = BRACKETED.exec(cell.trim()) ?? [];
  if (bracketed === undefined) return withoutEmpty(split(cell, separatorIn(cell)));
  const inner = square ?? curly ?? '';
  return withoutEmpty(split(inner, separatorIn(inner)).map((item) => item.trim().replace(/^'(.*)'$/s, '$1')));
}

/** Formats a list as a cell that `readList` understands, which is a line of CSV. */
export function writeList(items: readonly string[]): string {
  return items
    .map((item) => (NEEDS_QUOTES.test(item) || NOTHING.test(item) ? `"${item.replaceAll('"', '""')}"` : item))
    .join(',');
}

function jsonArray(cell: string): unknown[] | null {
  if (!cell.startsWith('[')) return null;
  try {
    const read: unknown = JSON.parse(cell);
    return Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

/** The name of an object, such as a tag with a colour. */
function nameOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'name' in item ? item.name : item;
}

function withoutEmpty(items: readonly string[]): string[] {
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

function separatorIn(cell: string): string {
  let quoted = false;
  const found = new Set<string>();
  for (const character of cell) {
    if (character === '"') quoted = !quoted;
    else if (!quoted) found.add(character);
  }
  return SEPARATORS.find((separator) => found.has(separator)) ?? ',';
}

/** Splits a cell into items. Quotes have a meaning only at the start of an item. */
function split(cell: string, separator: string): string[] {
  const items: string[] = [];
  let item = '';
  let quoted = false;
  for (let at = 0; at < cell.length; at++) {
    const character = cell.charAt(at);
    if (character === '"' && quoted) {
      quoted = cell[at + 1] === '"';
      if (quoted) {
        item += character;
        at++;
      }
    } else if (character === '"' && item.trim() === '') {
      quoted = true;
    } else if (!quoted && (character === separator || character === '\r' || character === '\n')) {
      items.push(item);
      item = '';
    } else item += character;
  }
  return [...items, item];
}
