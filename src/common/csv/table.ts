import { NOTHING } from './lists';
import { withoutGuard, withoutStartGuard } from './write-csv';

export interface TableField {
  /** Converts a cell that is not empty. */
  readonly read: (cell: string) => unknown;
  /** Alternative column names, in order of preference. */
  readonly names?: readonly string[];
  /** Column names with the same precedence as the field's own. */
  readonly ownNames?: readonly string[];
  /** `free`: "null" may be meant literally. `address`: only the start of a cell is guarded against formulas. */
  readonly kind?: 'free' | 'address';
  /** If the preferred column is empty in a row, another one is used. */
  readonly perRow?: boolean;
}

type Reading = Pick<TableField, 'kind' | 'perRow'>;

/** The field that a column name stands for. Of several columns for a field, the one with the lowest rank is used. */
interface Meaning {
  readonly field: string;
  readonly rank: number;
}

export type FindMeaning = (name: string) => Meaning | null;

/** A column name in lower case, reduced to letters and digits, without `(required)`. */
export function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\((?:required|optional|필수|선택)\)/, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

export function meaningsOf(
  fields: Readonly<Record<string, Pick<TableField, 'names' | 'ownNames'>>>,
): FindMeaning {
  const byName = new Map<string, Meaning>();
  const put = (name: string, meaning: Meaning) => {
    if (!byName.has(folded(name))) byName.set(folded(name), meaning);
  };
  for (const [field, { ownNames = [] }] of Object.entries(fields)) {
    for (const name of [field, ...ownNames]) put(name, { field, rank: 0 });
  }
  for (const [field, { names = [] }] of Object.entries(fields)) {
    names.forEach((name, i) => put(name, { field, rank: i + 1 }));
  }
  return (name) => byName.get(folded(name)) ?? null;
}

interface Column {
  readonly field: string;
  readonly index: number;
  readonly rank: number;
}

/** The columns of a file. */
export class Table {
  /** The field of each column; null for unused ones. */
  readonly fields: readonly (string | null)[];
  /** Names of columns that are not used, or only as a fallback. */
  readonly ignored: readonly string[];
  /** A field with several columns of equal precedence. */
  readonly repeated: string | null;
  /** The used columns by rank. */
  private readonly columns: readonly Column[];

  constructor(
    private readonly header: readonly string[],
    find: FindMeaning,
    private readonly readingOf: (field: string) => Reading | undefined,
  ) {
    const found = header
      .flatMap((name, index): Column[] => {
        const meaning = find(name);
        return meaning ? [{ ...meaning, index }] : [];
      })
      .toSorted((a, b) => a.rank - b.rank);
    const first = new Map<string, Column>();
    for (const column of found) if (!first.has(column.field)) first.set(column.field, column);
    const isBest = ({ field, rank }: Column) => rank === first.get(field)?.rank;
    const best = found.filter(isBest);
    this.columns = found.filter((column) => isBest(column) || readingOf(column.field)?.perRow);
    this.fields = header.map((_, i) => best.find(({ index }) => index === i)?.field ?? null);
    this.ignored = header
      .filter((name, i) => this.fields[i] === null && name.trim() !== '')
      .map((name) => name.trim());
    this.repeated = best.find((column) => column !== first.get(column.field))?.field ?? null;
  }

  /** The cells of a row that are not empty, by field. */
  given(cells: readonly string[]): [field: string, cell: string][] {
    // A row with several such words uses them for empty values, in free text as well.
    const writesNothing = cells.filter((cell) => NOTHING.test(cell)).length > 1;
    const given = new Map<string, string>();
    for (const { field, index } of this.columns) {
      const cell = cells[index] ?? '';
      const kind = this.readingOf(field)?.kind;
      const isNothing = NOTHING.test(cell) && (writesNothing || kind !== 'free');
      if (given.has(field) || isNothing || cell.trim() === '') continue;
      given.set(field, kind === 'address' ? withoutStartGuard(cell) : withoutGuard(cell));
    }
    return [...given];
  }

  /** All cells of a row by column name; a cell beyond the header is named by its position. */
  values(cells: readonly string[]): Record<string, string> {
    const beyond = cells.slice(this.header.length);
    const named: [string, string][] = [
      ...this.header.map((name, i): [string, string] => [name.trim(), cells[i] ?? '']),
      ...beyond.map((cell, i): [string, string] => [cell.trim() && numbered(this.header.length + i), cell]),
    ];
    return Object.fromEntries(named.filter(([name]) => name !== ''));
  }
}

/** Name of a column without one. */
export function numbered(index: number): string {
  return `column ${index + 1}`;
}

/** Characters of failed rows in a response. */
const MAX_VALUES = 1_048_576;

/** Collects the values of failed rows, up to the size limit of a response. */
export class FailedValues {
  private room = MAX_VALUES;

  of(table: Table, cells: readonly string[]): Record<string, string> {
    const values = table.values(cells);
    this.room -= Object.entries(values).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    return this.room < 0 ? {} : values;
  }
}
