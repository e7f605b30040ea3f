import { withoutGuard, withoutStartGuard } from './write-csv';

/** A field that a column of a file may fill. */
export interface TableField {
  /** Reads a cell that is not empty. */
  readonly read: (cell: string) => unknown;
  /** Other names of its column, in order of preference. */
  readonly names?: readonly string[];
  /** Names that count as much as the field's own. */
  readonly ownNames?: readonly string[];
  /** `free` where the word "null" may be meant; `address` where only the start of a cell is guarded. */
  readonly kind?: 'free' | 'address';
}

/** What the name of a column stands for; the lowest rank of a field is used. */
interface Meaning {
  readonly field: string;
  readonly rank: number;
}

export type FindMeaning = (name: string) => Meaning | null;

/** A column name without what does not count: letter case, spaces, dots, dashes and underscores. */
export function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s._\p{Pd}\p{Cf}]+/gu, '');
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

/** Words that other products write for nothing. */
const NOTHING = /^\s*(?:null|undefined)\s*$/i;

/** The columns of a file. */
export class Table {
  /** The field of each column; null for unused ones. */
  readonly fields: readonly (string | null)[];
  /** Names of unused columns. */
  readonly ignored: readonly string[];
  /** A field to which several columns map with equal precedence. */
  readonly repeated: string | null;

  constructor(
    private readonly header: readonly string[],
    find: FindMeaning,
    private readonly kindOf: (field: string) => TableField['kind'],
  ) {
    const found = header.map(find);
    const best = new Map<string, number>();
    for (const each of found) {
      if (each) best.set(each.field, Math.min(each.rank, best.get(each.field) ?? Infinity));
    }
    const fields = found.map((each) => (each && each.rank === best.get(each.field) ? each.field : null));
    this.fields = fields;
    this.ignored = header
      .filter((name, i) => fields[i] === null && name.trim() !== '')
      .map((name) => name.trim());
    this.repeated = fields.find((field, i) => field !== null && fields.indexOf(field) !== i) ?? null;
  }

  /** The cells of a row that are not empty, by field. */
  given(cells: readonly string[]): [field: string, cell: string][] {
    const given = this.fields.flatMap((field, i): [string, string][] => {
      const cell = cells[i] ?? '';
      if (field === null || cell.trim() === '') return [];
      return [[field, this.kindOf(field) === 'address' ? withoutStartGuard(cell) : withoutGuard(cell)]];
    });
    const isNothing = ([field, cell]: [string, string]) =>
      NOTHING.test(cell) && this.kindOf(field) !== 'free';
    // Where the word stands for nothing in one cell, it does so in the others of the row.
    const writesNothing = given.some(isNothing);
    return given.filter((each) => !isNothing(each) && !(writesNothing && NOTHING.test(each[1])));
  }

  /** The cells of a row by the names of their columns, as the file has them. */
  values(cells: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      this.header.flatMap((name, i) => (name.trim() === '' ? [] : [[name.trim(), cells[i] ?? '']])),
    );
  }
}

/** Characters of values in an answer. */
const MAX_VALUES = 1_048_576;

/** The values of failed rows, until the answer is full of them. */
export class FailedValues {
  private room = MAX_VALUES;

  of(table: Table, cells: readonly string[]): Record<string, string> {
    const values = table.values(cells);
    this.room -= Object.entries(values).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    return this.room < 0 ? {} : values;
  }
}
