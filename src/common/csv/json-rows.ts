import { type CsvRow, malformed, MAX_COLUMNS } from './csv-reader';

type Item = Readonly<Record<string, unknown>>;

/** Levels of objects whose fields become columns, such as `meta.validSince`. */
const MAX_DEPTH = 3;

/**
 * The items of a list as the rows of a file with a header, for what reads CSV. The line of a row is the position of its
 * item.
 * @param document a list of objects, or an object with one, such as `{"shortUrls":{"data":[…]}}` of Shlink's API
 * @throws MalformedCsv if there is none
 */
export function* rowsOfJson(document: unknown): Generator<CsvRow> {
  const items = listIn(document, MAX_DEPTH);
  if (!items) throw malformed(1, 'NO_LIST');
  const cells = items.map((item) => new Map(cellsOf(item)));
  const header = [...new Set(cells.flatMap((each) => [...each.keys()]))];
  if (header.length > MAX_COLUMNS) throw malformed(1, 'TOO_MANY_COLUMNS');
  yield rowOf(0, header);
  for (const [i, each] of cells.entries())
    yield rowOf(
      i + 1,
      header.map((name) => each.get(name) ?? ''),
    );
}

function rowOf(line: number, cells: readonly string[]): CsvRow {
  return { line, cells, length: cells.reduce((sum, cell) => sum + cell.length, 0) };
}

function listIn(value: unknown, depth: number): readonly Item[] | null {
  if (Array.isArray(value)) return value.every(isItem) ? value : null;
  if (!isItem(value) || depth === 0) return null;
  for (const inner of Object.values(value)) {
    const found = listIn(inner, depth - 1);
    if (found) return found;
  }
  return null;
}

function* cellsOf(item: Item, prefix = '', depth = MAX_DEPTH): Generator<[name: string, cell: string]> {
  for (const [name, value] of Object.entries(item)) {
    if (isItem(value) && depth > 1) yield* cellsOf(value, `${prefix}${name}.`, depth - 1);
    else if (value !== null) yield [prefix + name, cellOf(value)];
  }
}

/** Lists of objects, such as tags with colours, are those of their names. */
function cellOf(value: unknown): string {
  if (Array.isArray(value))
    return JSON.stringify(value.map((each: unknown) => (isItem(each) && 'name' in each ? each.name : each)));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
