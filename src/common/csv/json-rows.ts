import { type CsvRow, malformed, MAX_COLUMNS } from './csv-reader';

type Item = Readonly<Record<string, unknown>>;

/** Levels of objects whose fields become columns, such as `meta.validSince`. */
const MAX_DEPTH = 3;

/**
 * The items of a list as the rows of a file with a header, for what reads CSV. The line of a row is the position of its
 * item.
 * @param document a list of objects, or an object with one, such as `{"shortUrls":{"data":[…]}}` of Shlink's API
 * @throws MalformedCsv if there is none, or more than one
 */
export function* rowsOfJson(document: unknown): Generator<CsvRow> {
  const lists = [...listsIn(document)];
  const [items = lists[0], ...others] = lists.filter((list) => list.length > 0);
  if (!items) throw malformed(1, 'NO_LIST');
  if (others.length > 0) throw malformed(1, 'SEVERAL_LISTS');
  const header = new Set<string>();
  for (const item of items) for (const [name] of fieldsOf(item)) header.add(name);
  if (header.size > MAX_COLUMNS) throw malformed(1, 'TOO_MANY_COLUMNS');
  yield rowOf(0, [...header]);
  for (const [i, item] of items.entries()) {
    const fields = new Map(fieldsOf(item));
    yield rowOf(
      i + 1,
      [...header].map((name) => cellOf(fields.get(name))),
    );
  }
}

function rowOf(line: number, cells: readonly string[]): CsvRow {
  return { line, cells, length: cells.reduce((sum, cell) => sum + cell.length, 0) };
}

function* listsIn(value: unknown, depth = MAX_DEPTH): Generator<readonly Item[]> {
  if (Array.isArray(value)) {
    if (value.every(isItem)) yield value;
  } else if (isItem(value) && depth > 0) {
    for (const inner of Object.values(value)) yield* listsIn(inner, depth - 1);
  }
}

function* fieldsOf(item: Item, prefix = '', depth = MAX_DEPTH): Generator<[name: string, value: unknown]> {
  for (const [name, value] of Object.entries(item)) {
    if (isItem(value) && depth > 1) yield* fieldsOf(value, `${prefix}${name}.`, depth - 1);
    else if (value !== null) yield [prefix + name, value];
  }
}

function cellOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
