import { withoutGuard } from '../../../common/csv';
import { ValidationFailed } from '../../../common/errors/errors';

/** Where a file has what. */
export interface Columns {
  /** Whether the first row names them; a list of values alone needs none. */
  readonly header: boolean;
  readonly value: number;
  readonly source: number;
  readonly unsubscribedAt: number;
}

const VALUE_NAMES = ['value', 'phone', 'email'];

/** @param isValue whether the first cell is a value itself @throws ValidationFailed */
export function columnsOf(cells: readonly string[], isValue: boolean): Columns {
  const names = cells.map((cell) => cell.trim().toLowerCase().replaceAll(/[ _-]/g, ''));
  const value = names.findIndex((name) => VALUE_NAMES.includes(name));
  if (value !== -1) {
    const source = names.indexOf('source');
    return { header: true, value, source, unsubscribedAt: names.indexOf('unsubscribedat') };
  }
  if (!isValue) throw ValidationFailed.field('value', 'must be a column of the header row');
  return { header: false, value: 0, source: -1, unsubscribedAt: -1 };
}

/** A row as an item of the JSON form; empty cells are fields that are not given. */
export function itemOf({ value, source, unsubscribedAt }: Columns, cells: readonly string[]) {
  const cell = (column: number) => {
    const text = withoutGuard(cells[column] ?? '').trim();
    return text === '' ? undefined : text;
  };
  return { value: cell(value), source: cell(source), unsubscribedAt: cell(unsubscribedAt) };
}
